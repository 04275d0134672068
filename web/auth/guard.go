package auth

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/proxy"
	"github.com/rollcall-dev/rollcall/internal/sso"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// SessionCookie is the name of the cookie that holds a session.
const SessionCookie = "rollcall_session"

// errForged is the problem that a page of another site may have sent the change.
var errForged = problem.New(http.StatusForbidden, "CROSS_ORIGIN",
	"Changes in a session must come from a page of this service; programs send an API key.")

// Guard is a validator of the credentials of requests.
type Guard struct {
	Access  *access.Store // nil: each caller is the owner
	SSO     *sso.Provider // nil: there is no sign-in provider
	Cookies Cookies
	Tenant  string        // tenant in which the owner works
	Guarded bool          // the program that embeds the service authenticates callers
	Proxies proxy.Trusted // trusted proxies in front of the service
}

// Authenticate returns the rights that the credential of a request gives. The argument `client` is the
// IP address of the caller. An owner gets the rights for the tenant g.Tenant. If Authenticate returns an
// error, the rights allow nothing, but may name the API key of the credential.
func (g *Guard) Authenticate(r *http.Request, client string) (access.Grant, error) {
	grant, err := g.judge(r, client)
	if err == nil && grant.Role == access.Owner {
		grant.Tenant = g.Tenant
	}
	return grant, err
}

// judge returns the rights that the credential of a request gives. Without a sign-in provider, the method
// `unkeyed` returns the rights until the first API key or user is stored. If g.Access is nil, each caller is
// the owner.
func (g *Guard) judge(r *http.Request, client string) (access.Grant, error) {
	ctx := r.Context()
	if g.Access == nil {
		return access.Grant{Role: access.Owner}, nil
	}
	if g.SSO == nil {
		has := g.Access.Any
		if len(r.Header.Values("Authorization")) > 0 || g.Cookies.Get(r, SessionCookie) != "" {
			has = g.Access.AnyNow // the credential may be of the first key, which is new
		}
		keyed, err := has(ctx)
		if err != nil {
			return access.Grant{}, err
		}
		if !keyed {
			return g.unkeyed(r, client)
		}
	}
	if lines := r.Header.Values("Authorization"); len(lines) > 0 {
		return g.bearer(r, client, lines)
	}
	session := g.Cookies.Get(r, SessionCookie)
	if session == "" {
		return access.Grant{}, problem.ErrNoKey
	}
	if err := CheckOrigin(r); err != nil {
		return access.Grant{}, err
	}
	return g.Access.Session(ctx, session, client)
}

// bearer returns the rights of the API key or token in the Authorization header.
func (g *Guard) bearer(r *http.Request, client string, lines []string) (access.Grant, error) {
	secret, ok := bearer(lines)
	if !ok {
		return access.Grant{}, problem.ErrNoKey
	}
	if g.SSO != nil && isToken(secret) {
		return g.Access.Token(r.Context(), secret, client, g.readToken)
	}
	return g.Access.Check(r.Context(), secret, client)
}

// unkeyed returns the rights of a request before the first API key or user is stored. The caller is the
// owner if the request came directly from this machine, or if the embedding program authenticates callers.
func (g *Guard) unkeyed(r *http.Request, client string) (access.Grant, error) {
	if g.Guarded || g.direct(r, client) {
		return access.Grant{Role: access.Owner}, nil
	}
	return access.Grant{}, problem.ErrFirstKey
}

// direct reports whether a request came from this machine and not through a proxy, as far as its
// address, host and headers show.
func (g *Guard) direct(r *http.Request, client string) bool {
	addr, err := netip.ParseAddr(client)
	return err == nil && addr.IsLoopback() && !g.Proxies.Has(addr) && !proxy.Passed(r.Header) && textutil.IsLoopbackHost(r.Host)
}

// bearer returns the API key or token of the Authorization header. The result `ok` is false for
// another scheme, an empty secret, or several headers.
func bearer(lines []string) (secret string, ok bool) {
	scheme, secret, _ := strings.Cut(lines[0], " ")
	secret = strings.TrimSpace(secret)
	return secret, len(lines) == 1 && strings.EqualFold(scheme, "Bearer") && secret != ""
}

// CheckOrigin returns an error if a request with a cookie may come from a page of another site. A
// request for a change must have the header Origin or Sec-Fetch-Site. Before this check, package web
// rejects changes whose headers name another site.
func CheckOrigin(r *http.Request) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" {
		return errForged
	}
	return nil
}
