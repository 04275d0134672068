// Package signin serves the sign-in: the page with the form for an API key, the sign-in at a provider,
// and the sign-out. It starts and ends sessions. Package auth checks the credentials of requests.
package signin

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

// Handlers holds the dependencies of the sign-in. Access is nil if no sign-in is required, and SSO is nil
// without a provider.
type Handlers struct {
	Access *access.Store
	Auth   *request.Credentials
	Guard  *auth.Guard
	Now    func() time.Time
	Render *render.Renderer
	SSO    *sso.Provider
	Secret *auth.Secret
}

// Routes returns the routes of the sign-in that ReserveRoutes does not return.
func (p *Handlers) Routes() []route.Route {
	// A password manager stores an API key under the name in the field "as".
	key := input.PageForm("key", "to", "as")
	return []route.Route{
		route.New(route.Get, "/sign-in", "pageSignIn", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, p.signIn),
		route.New(route.Post, "/sign-in", "pagePostSignIn", route.Everybody, route.ReadTimeout, input.NoQuery, key, p.postSignIn),
		route.New(route.Get, "/sign-in/oidc", "pageBeginOIDC", route.Everybody, route.ReadTimeout, input.Names{"to"}, input.NoBody, p.beginSSO),
		route.New(route.Get, "/sign-in/oidc/callback", "pageEndOIDC", route.Everybody, ssoTimeout, input.AnyQuery, input.NoBody, p.endSSO),
	}
}

// ReserveRoutes returns the route of the sign-out.
func (p *Handlers) ReserveRoutes() []route.Route {
	return []route.Route{
		route.New(route.Post, "/sign-out", "pageSignOut", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, p.signOut),
	}
}
