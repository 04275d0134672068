package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// callerKey is where a request keeps the rights of its caller.
const callerKey = "caller"

// local is the caller without a credential, in audits.
const local = "local"

var errKeyInAddress = problem.New(http.StatusBadRequest, "API_KEY_IN_ADDRESS",
	"Never put an API key in an address, where others may read it: "+
		"send it in the header Authorization: Bearer <key>. If the key was real, revoke and replace it.")

// admit admits a request whose credential has the scope of its route.
func (s *Server) admit(c *gin.Context) error {
	if auth.KeyInAddress(c.Request) {
		return errKeyInAddress
	}
	r := s.routeOf(c)
	switch {
	case r == nil || r.scope == everybody: // there is no such route, or it needs no credential
		return nil
	case linked(c):
		return s.admitLink(c)
	}
	return s.authorize(c, r.scope)
}

// authorize identifies the caller and checks the scope.
func (s *Server) authorize(c *gin.Context, scope access.Scope) error {
	g, err := s.authenticate(c)
	if err != nil {
		challenge(c, err)
		return err
	}
	if !g.May(scope) {
		c.Set(suspectKey, suspect{grant: g})
		return missingScope(c, g, scope)
	}
	c.Set(callerKey, g)
	return nil
}

// missingScope returns the problem of a caller who lacks a scope.
func missingScope(c *gin.Context, g access.Grant, scope access.Scope) error {
	c.Header("WWW-Authenticate", fmt.Sprintf(
		`Bearer realm="rollcall", error="insufficient_scope", scope=%q`, scope))
	p := problem.New(http.StatusForbidden, "SCOPE_MISSING", fmt.Sprintf(
		"This request needs the scope %s, which the role %s does not have.", scope, g.Role))
	p.Args = map[string]string{"scope": string(scope), "role": string(g.Role)}
	return p
}

// challenge names the credential that a request needs.
func challenge(c *gin.Context, err error) {
	switch p := problem.OfCredential(err); {
	case p == problem.ErrNoKey, p == problem.ErrFirstKey:
		c.Header("WWW-Authenticate", `Bearer realm="rollcall"`)
	case p != nil:
		c.Header("WWW-Authenticate", `Bearer realm="rollcall", error="invalid_token"`)
	}
}

// authenticate returns the rights of the sender of a request. If it rejects the request, it stores
// the rights found so far in c, for the record of refused requests.
func (s *Server) authenticate(c *gin.Context) (access.Grant, error) {
	g, err := s.guard.Who(c.Request, c.ClientIP())
	if err != nil {
		c.Set(suspectKey, suspect{grant: g})
		return access.Grant{}, err
	}
	return g, nil
}

// linked reports whether a request comes by a link instead of with a credential.
func linked(c *gin.Context) bool {
	return c.FullPath() == filePath && auth.HasLink(c.Request.URL.Query())
}

// admitLink admits a request by its link.
func (s *Server) admitLink(c *gin.Context) error {
	link, err := s.links.Check(c.Request.Context(), c.Param("id"), c.Request.URL.Query())
	if errors.Is(err, auth.ErrLinkEnded) {
		c.Set(suspectKey, suspect{grant: access.Grant{Key: link.Maker, Tenant: link.Tenant}})
	}
	if err != nil {
		return err
	}
	c.Set(callerKey, access.Grant{Tenant: link.Tenant})
	return nil
}

// recheckAuth returns an error if the credential of a long request was revoked or has expired
// meanwhile.
func (s *Server) recheckAuth(c *gin.Context) error {
	if _, err := s.authenticate(c); problem.OfCredential(err) != nil {
		challenge(c, err)
		return err
	}
	return nil // without the database, the request waits
}

// caller returns the rights of the caller of a request.
func caller(c *gin.Context) access.Grant {
	g, _ := c.Get(callerKey)
	grant, _ := g.(access.Grant) // without one, it may see nothing
	return grant
}

// tenant returns the tenant of a request.
func (s *Server) tenant(c *gin.Context) string { return caller(c).Tenant }

// actor returns the caller for audits and created_by: the id of an API key, the name of a
// user, or "local" without a credential.
func (s *Server) actor(c *gin.Context) string { return cmp.Or(caller(c).Actor(), local) }
