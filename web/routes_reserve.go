package web

import "github.com/rollcall-dev/rollcall/access"

// reserveRoutes returns the routes that find or end a credential. If that credential has used up
// the rate, GET and DELETE of keys still have reserveRate, and the sign-out of a good session has
// no limit.
func (p *pages) reserveRoutes() []route {
	list := []route{{post, "/sign-out", "pageSignOut", everybody, readTimeout, noQuery, noBody, p.signOut}}
	if p.opt.Access == nil {
		return list
	}
	return append(list,
		route{get, "/api/v1/keys", "listKeys", access.KeysAdmin, readTimeout, names{"limit", "cursor", "tenant"}, noBody, p.listKeys},
		route{del, "/api/v1/keys/:id", "revokeKey", access.KeysAdmin, readTimeout, names{"with_made"}, noBody, p.forKey(p.revokeKey)},
	)
}
