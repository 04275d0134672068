package web

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// callerKey is where a request keeps what its credential gives.
const callerKey = "caller"

// local is who does what needs no credential, in audits.
const local = "local"

var (
	errKeyInAddress = problem.New(http.StatusBadRequest, "API_KEY_IN_ADDRESS",
		"An API key has no place in an address, where others may read it: "+
			"send it as the header Authorization: Bearer <key>, and replace it if it was a real one.")
	errForged = problem.New(http.StatusForbidden, "CROSS_ORIGIN",
		"A change in a session must come from a page of this service; programs send an API key.")
)

// admit lets a request in whose credential has the scope of its path.
func (s *Server) admit(c *gin.Context) error {
	if keyInAddress(c.Request) {
		return errKeyInAddress
	}
	r := s.routeOf(c)
	switch {
	case r == nil || r.scope == everybody: // nothing is there, or it is for all
		return nil
	case linked(c):
		return s.admitLink(c)
	}
	return s.allow(c, r.scope)
}

// allow finds out who asks, and whether they may.
func (s *Server) allow(c *gin.Context, scope access.Scope) error {
	g, err := s.who(c)
	if err != nil {
		challenge(c, err)
		return err
	}
	if !g.May(scope) {
		c.Set(suspectKey, suspect{grant: g})
		return missing(c, g, scope)
	}
	c.Set(callerKey, g)
	return nil
}

// missing returns the problem of a caller who lacks a scope.
func missing(c *gin.Context, g access.Grant, scope access.Scope) error {
	c.Header("WWW-Authenticate", fmt.Sprintf(
		`Bearer realm="rollcall", error="insufficient_scope", scope=%q`, scope))
	p := problem.New(http.StatusForbidden, "SCOPE_MISSING", fmt.Sprintf(
		"This takes the scope %s, which the role %s does not have.", scope, g.Role))
	p.Args = map[string]string{"scope": string(scope), "role": string(g.Role)}
	return p
}

// challenge tells a client which credential is asked for.
func challenge(c *gin.Context, err error) {
	switch p := problem.OfCredential(err); {
	case p == problem.ErrNoKey, p == problem.ErrFirstKey:
		c.Header("WWW-Authenticate", `Bearer realm="rollcall"`)
	case p != nil:
		c.Header("WWW-Authenticate", `Bearer realm="rollcall", error="invalid_token"`)
	}
}

// who returns what the credential of a request gives. The owner works in the tenant of the
// service, too. It notes the credential of a request that it refuses.
func (s *Server) who(c *gin.Context) (access.Grant, error) {
	g, err := s.judge(c)
	if err != nil {
		c.Set(suspectKey, suspect{grant: g})
		return access.Grant{}, err
	}
	if g.Role == access.Owner {
		g.Tenant = s.opt.Tenant
	}
	return g, nil
}

// judge judges the credential of a request. While there is no key at all, and no issuer
// where users sign in, each caller of this machine is the owner.
func (s *Server) judge(c *gin.Context) (access.Grant, error) {
	ctx := c.Request.Context()
	if s.opt.Access == nil {
		return access.Grant{Role: access.Owner}, nil
	}
	if s.opt.SSO == nil {
		keyed, err := s.opt.Access.Any(ctx)
		if err != nil {
			return access.Grant{}, err
		}
		if !keyed {
			return s.unkeyed(c)
		}
	}
	if lines := c.Request.Header.Values("Authorization"); len(lines) > 0 {
		secret, ok := bearer(lines)
		if !ok {
			return access.Grant{}, problem.ErrNoKey
		}
		if s.opt.SSO != nil && isToken(secret) {
			return s.opt.Access.Token(ctx, secret, c.ClientIP(), s.readToken)
		}
		return s.opt.Access.Check(ctx, secret, c.ClientIP())
	}
	session := s.cookieOf(c.Request, sessionCookie)
	if session == "" {
		return access.Grant{}, problem.ErrNoKey
	}
	if forged(c.Request) {
		return access.Grant{}, errForged
	}
	return s.opt.Access.Session(ctx, session, c.ClientIP())
}

// unkeyed returns what a request may do while there is no key: all that the owner may, if it
// came directly from this machine or the program checks its callers itself.
func (s *Server) unkeyed(c *gin.Context) (access.Grant, error) {
	if s.opt.Guarded || s.direct(c) {
		return access.Grant{Role: access.Owner}, nil
	}
	return access.Grant{}, problem.ErrFirstKey
}

// bearer reads the header Authorization, which must stand once.
func bearer(lines []string) (secret string, ok bool) {
	scheme, secret, _ := strings.Cut(lines[0], " ")
	secret = strings.TrimSpace(secret)
	return secret, len(lines) == 1 && strings.EqualFold(scheme, "Bearer") && secret != ""
}

// forged tells whether a request that comes with a cookie may have been made by
// another site's page: a change must say that it is not. What it says is held
// against the address before, by sameOrigin.
func forged(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	return r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == ""
}

// keyNames are what others call a key in an address.
var keyNames = []string{"access_token", "api_key", "apikey", "authorization"}

// keyInAddress tells whether somebody put a key where logs may show it.
func keyInAddress(r *http.Request) bool {
	if access.Leaks(r.URL.Path) || access.Leaks(r.URL.RawQuery) {
		return true
	}
	if r.URL.RawQuery == "" {
		return false
	}
	query := r.URL.Query()
	for _, name := range keyNames {
		if query.Has(name) {
			return true
		}
	}
	for _, values := range query {
		if access.Leaks(strings.Join(values, " ")) {
			return true
		}
	}
	return false
}

// dismissed tells whether a request that takes long must not go on: its key was
// revoked meanwhile, or its time is over.
func (s *Server) dismissed(c *gin.Context) error {
	if _, err := s.who(c); problem.OfCredential(err) != nil {
		challenge(c, err)
		return err
	}
	return nil // a ledger that is away is waited for
}

// caller is what the credential of a request gives.
func caller(c *gin.Context) access.Grant {
	g, _ := c.Get(callerKey)
	grant, _ := g.(access.Grant) // without one, it may see nothing
	return grant
}

// tenant is whose request it is.
func (s *Server) tenant(c *gin.Context) string { return caller(c).Tenant }

// actor is who makes a request, for audits and created_by: the id of an API
// key, the name of a person, or "local" where nobody is asked.
func (s *Server) actor(c *gin.Context) string { return cmp.Or(caller(c).Actor(), local) }
