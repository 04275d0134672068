package web

import "github.com/rollcall-dev/rollcall/access"

// reserveRoutes are the routes that end a credential, and find it. They are answered though the
// rate of the tenant, or of the address, is used up: perhaps that credential has used it.
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
