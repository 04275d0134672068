package request

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Authorize stores the caller of a request. It returns an error if the credential is invalid or lacks
// the scope.
func (s *Credentials) Authorize(c *gin.Context, scope access.Scope) error {
	g, err := s.Authenticate(c)
	if err != nil {
		challenge(c, err)
		return err
	}
	SetCaller(c, g) // also for the header of the page that names the missing scope
	if !g.May(scope) {
		c.Set(SenderKey, Sender{Grant: g})
		return auth.MissingScope(g, scope)
	}
	return nil
}

// challenge sets the header WWW-Authenticate if err is the problem of a credential.
func challenge(c *gin.Context, err error) {
	switch p := problem.OfCredential(err); {
	case p == problem.ErrNoKey, p == problem.ErrFirstKey:
		c.Header("WWW-Authenticate", `Bearer realm="rollcall"`)
	case p != nil:
		c.Header("WWW-Authenticate", `Bearer realm="rollcall", error="invalid_token"`)
	}
}

// Authenticate returns the rights that the credential of a request gives. If it returns an error, it stores
// the claimed rights for the log of refused requests.
func (s *Credentials) Authenticate(c *gin.Context) (access.Grant, error) {
	g, err := s.Guard.Authenticate(c.Request, c.ClientIP())
	if err != nil {
		c.Set(SenderKey, Sender{Grant: g})
		return access.Grant{}, err
	}
	return g, nil
}

// RecheckAuth returns an error if the credential of a long request was revoked or has expired since the
// request began.
func (s *Credentials) RecheckAuth(c *gin.Context) error {
	if _, err := s.Authenticate(c); problem.OfCredential(err) != nil {
		challenge(c, err)
		return err
	}
	return nil // other errors, such as an unavailable database, do not end the request
}

// Credentials is a checker of the credentials of requests.
type Credentials struct {
	Guard *auth.Guard
}
