package settings

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/base"
)

// OIDC holds the settings of an OpenID Connect provider. Package kong reads its tags.
type OIDC struct {
	PublicURL   string            `env:"PUBLIC_URL" name:"public-url" help:"Public address of this service, for example https://rollcall.example.com or https://example.com/rollcall. Links and pages begin with its path; the OpenID Connect provider redirects users to it. Its host need not be in HOSTS."`
	Issuer      string            `env:"OIDC_ISSUER" name:"oidc-issuer" help:"OpenID Connect provider for sign-in and API tokens, as https://…; empty: API keys only."`
	ClientID    string            `env:"OIDC_CLIENT_ID" name:"oidc-client-id" help:"Client ID of this service at the provider, and the audience of its tokens."`
	Secret      string            `env:"OIDC_CLIENT_SECRET" name:"oidc-client-secret" help:"Client secret at the provider; empty: a public client without a secret."`
	SecretFile  string            `env:"OIDC_CLIENT_SECRET_FILE" name:"oidc-client-secret-file" help:"File with the client secret."`
	Tenant      string            `env:"OIDC_TENANT" name:"oidc-tenant" help:"Tenant of all users of the provider; empty: taken from OIDC_TENANT_CLAIM."`
	TenantClaim string            `env:"OIDC_TENANT_CLAIM" name:"oidc-tenant-claim" default:"tenant" help:"Claim with the tenant of a user; dots select members of objects."`
	RolesClaim  string            `env:"OIDC_ROLES_CLAIM" name:"oidc-roles-claim" default:"roles" help:"Claim with the roles or groups of a user; dots select members of objects."`
	Roles       map[string]string `env:"OIDC_ROLES" name:"oidc-roles" mapsep:"," default:"operator=operator,reviewer=reviewer,viewer=viewer" help:"Which value of that claim gives which role, as value=role,value=role: viewer, reviewer, operator or admin. The greatest counts."`
}

// mayBePlain reports whether u is an http address of this machine. Such an address needs no TLS.
func mayBePlain(u *url.URL) bool { return u.Scheme == "http" && Loopback(u.Hostname()+":0") }

// Check returns the faults of the settings. Without an Issuer, it checks only PublicURL, and that
// ClientID, Secret, SecretFile and Tenant are empty.
func (o OIDC) Check() error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if _, err := base.OfAddress(o.PublicURL); o.PublicURL != "" && (!address(o.PublicURL) || err != nil) {
		fault("PUBLIC_URL must be like https://example.com or https://example.com/rollcall; http:// is allowed for this machine only%s", because(err))
	}
	if o.Issuer == "" {
		if o.ClientID != "" || o.Secret != "" || o.SecretFile != "" || o.Tenant != "" {
			fault("OIDC_CLIENT_ID and the other settings OIDC_… need OIDC_ISSUER")
		}
		return errors.Join(errs...)
	}
	if !address(o.Issuer) {
		fault("OIDC_ISSUER must be like https://login.example.com/path; http:// is allowed for this machine only")
	}
	if o.ClientID == "" || o.PublicURL == "" {
		fault("OIDC_ISSUER needs OIDC_CLIENT_ID and PUBLIC_URL")
	}
	if o.TenantClaim == "" && o.Tenant == "" || o.RolesClaim == "" {
		fault("OIDC_TENANT_CLAIM and OIDC_ROLES_CLAIM must not be empty")
	}
	if strings.ContainsAny(o.Tenant, "/ ") {
		fault("OIDC_TENANT must be one word without a slash")
	}
	if _, err := o.ReadSecret(); err != nil {
		fault("OIDC_CLIENT_SECRET_FILE: %w", err)
	}
	if len(o.Roles) == 0 {
		fault("OIDC_ROLES must not be empty: no user would have a role")
	}
	for _, value := range slices.Sorted(maps.Keys(o.Roles)) {
		if role := o.Roles[value]; !slices.Contains(access.Roles(), access.Role(role)) {
			fault("OIDC_ROLES: %q must be viewer, reviewer, operator or admin, not %q", value, role)
		}
	}
	return errors.Join(errs...)
}

// address reports whether a text is an https address, or an http address of this machine. It returns
// false if the address contains a user, a query or a fragment.
func address(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || mayBePlain(u)) &&
		u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// because returns a colon and the text of an error; "" without an error.
func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// BaseURL returns the path of the public address.
func (o OIDC) BaseURL() string {
	path, err := base.OfAddress(o.PublicURL)
	if err != nil { // Check reports the error
		return ""
	}
	return path
}

// ReadSecret returns the client secret: the setting, or the content of its file.
func (o OIDC) ReadSecret() (string, error) {
	if o.SecretFile == "" {
		return o.Secret, nil
	}
	if o.Secret != "" {
		return "", errors.New("set only one of OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE")
	}
	text, err := os.ReadFile(o.SecretFile)
	return strings.TrimSpace(string(text)), err
}

// Rules returns the rules that map values of the roles claim to roles, the greatest role first.
func (o OIDC) Rules() []sso.Rule {
	var out []sso.Rule
	for _, value := range slices.Sorted(maps.Keys(o.Roles)) {
		out = append(out, sso.Rule{Value: value, Role: o.Roles[value]})
	}
	rank := func(r sso.Rule) int { return slices.Index(access.Roles(), access.Role(r.Role)) }
	slices.SortStableFunc(out, func(a, b sso.Rule) int { return rank(b) - rank(a) })
	return out
}

// AllowedHosts returns the hosts in HOSTS and the host of PUBLIC_URL, without ports and brackets.
// Requests may use these hosts.
func (c Config) AllowedHosts() []string {
	var out []string
	for _, host := range c.Hosts {
		out = append(out, textutil.HostName(host))
	}
	if u, err := url.Parse(c.OIDC.PublicURL); err == nil && u.Hostname() != "" {
		out = append(out, textutil.HostName(u.Host))
	}
	return out
}

// OpenBy returns the reason why other machines can reach the API, such as "LISTEN=:8080" or "HOSTS or
// PUBLIC_URL names example.com". It returns "" if only this machine can reach the API, or if an Issuer is
// set. If OpenBy returns a reason, cmd/api starts only after an API key was created.
func (c Config) OpenBy() string {
	host := c.OtherHost()
	switch {
	case c.OIDC.Issuer != "":
		return ""
	case !Loopback(c.Listen):
		return "LISTEN=" + c.Listen
	case host != "":
		return "HOSTS or PUBLIC_URL names " + host
	}
	return ""
}

// OtherHost returns the first of AllowedHosts that may be another machine, or "" if all are this
// machine. Names of this machine are loopback addresses, localhost, and names below localhost (RFC
// 6761).
func (c Config) OtherHost() string {
	for _, host := range c.AllowedHosts() {
		if !textutil.IsLoopbackHost(host) {
			return host
		}
	}
	return ""
}
