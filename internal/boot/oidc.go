package boot

import (
	"strings"

	"github.com/rollcall-dev/rollcall/internal/sso"
)

// people returns the OpenID Connect provider; nil without one.
func (a *app) people() *sso.Provider {
	o := a.cfg.OIDC
	if o.Issuer == "" {
		return nil
	}
	secret, err := o.ReadSecret()
	if err != nil { // Check could read it; without a secret no user can sign in
		a.log.Error("people cannot sign in: the secret of the issuer is gone", "err", err)
	}
	return sso.New(sso.Options{
		Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: secret,
		Callback: strings.TrimRight(o.PublicURL, "/") + "/sign-in/oidc/callback", Tenant: o.Tenant,
		TenantClaim: o.TenantClaim, RolesClaim: o.RolesClaim, Rules: o.Rules(), Now: a.db.Now,
	})
}
