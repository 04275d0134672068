package web

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
)

// reserveRoutes returns the routes that find or end a credential. If that credential has used up
// the rate, GET and DELETE of keys still have reserveRate, and the sign-out of a good session has
// no limit.
func (p *pages) reserveRoutes() []route {
	list := []route{{post, "/sign-out", "pageSignOut", everybody, readTimeout, input.NoQuery, input.NoBody, p.signOut}}
	if p.opt.Access == nil {
		return list
	}
	return append(list,
		route{get, "/api/v1/keys", "listKeys", access.KeysAdmin, readTimeout, input.Names{"limit", "cursor", "tenant"}, input.NoBody, p.listKeys},
		route{del, "/api/v1/keys/:id", "revokeKey", access.KeysAdmin, readTimeout, input.Names{"with_made"}, input.NoBody, p.forKey(p.revokeKey)},
	)
}
