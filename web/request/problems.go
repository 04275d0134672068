package request

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// ErrKeyInAddress is the problem that a URL contains an API key.
var ErrKeyInAddress = problem.New(http.StatusBadRequest, "API_KEY_IN_ADDRESS",
	"Never put an API key in an address, where others may read it: "+
		"send it in the header Authorization: Bearer <key>. If the key was real, revoke and replace it.")

// Classify returns the problem of an error. It logs the error unless the client has caused the error or
// the request was canceled.
func (s *Problems) Classify(c *gin.Context, err error) *problem.Problem {
	p, foreseen := problem.Of(err)
	noteProblem(c, p, err)
	if p.Code == auth.CodeScopeMissing {
		c.Header("WWW-Authenticate", fmt.Sprintf(`Bearer realm="rollcall", error="insufficient_scope", scope=%q`, p.Args["scope"]))
	}
	if ctx := c.Request.Context(); !foreseen && ctx.Err() == nil {
		s.Log.ErrorContext(ctx, "request failed", "method", c.Request.Method,
			"path", c.FullPath(), "request", c.GetString(IDKey), "err", err)
	}
	return p
}

// Problems is a converter of errors into problems. It logs errors that the client has not caused.
type Problems struct {
	Log *slog.Logger
}

// RefusedKey is the key of a gin.Context for the Reason why its request was refused. SenderKey is the key
// for the Sender of that request.
const (
	RefusedKey = "refused"
	SenderKey  = "sender"
)

// RefusalStatus and refusalCode select the problems that mean a refused access. The log of refused requests
// has these problems and failed sign-ins.
var (
	RefusalStatus = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	refusalCode   = []string{ErrKeyInAddress.Code, CodeUnknownHost}
)

// Reason is the reason why a request was refused.
type Reason struct {
	Code string
	Err  error // more detail than the code; nil: none
}

// Sender is the sender of a refused request.
type Sender struct {
	Grant access.Grant // rights of the credential that the client has proven or only claimed
	Via   string       // form of the credential; "": the form that Guard.Credential returns
	Shown string       // the part of a wrong secret that may be shown
}

// Refuse stores the reason why a request is refused, for the log of refused requests. It leaves out
// `err` if that is a *problem.Problem, because its code states the same reason.
func Refuse(c *gin.Context, code string, err error) {
	if own := (*problem.Problem)(nil); errors.As(err, &own) {
		err = nil // the error repeats the code
	}
	c.Set(RefusedKey, Reason{code, err})
}

// noteProblem stores the reason why a request is refused, if its problem means a refused access.
func noteProblem(c *gin.Context, p *problem.Problem, err error) {
	if slices.Contains(RefusalStatus, p.Status) || slices.Contains(refusalCode, p.Code) {
		Refuse(c, p.Code, err)
	}
}

// IDKey is the key of a gin.Context for the id of its request.
const IDKey = "request_id"

// CodeUnknownHost is the code of the problem that the header Host has an unknown name.
const CodeUnknownHost = "UNKNOWN_HOST"
