package boot

import (
	"strings"

	"github.com/rollcall-dev/rollcall/internal/sso"
)

// signInProvider returns the configured OpenID Connect provider, or nil if none is configured.
func (a *app) signInProvider() *sso.Provider {
	o := a.cfg.OIDC
	if o.Issuer == "" {
		return nil
	}
	secret, err := o.ReadSecret()
	if err != nil { // Check has read the secret before; without it no user can sign in
		a.log.Error("users cannot sign in: OIDC_CLIENT_SECRET_FILE cannot be read", "err", err)
	}
	return sso.New(sso.Options{
		Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: secret,
		Callback: strings.TrimRight(o.PublicURL, "/") + "/sign-in/oidc/callback", Tenant: o.Tenant,
		TenantClaim: o.TenantClaim, RolesClaim: o.RolesClaim, Rules: o.Rules(), Now: a.db.Now,
	})
}
