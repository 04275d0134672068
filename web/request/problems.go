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

// ErrKeyInAddress is the problem of an API key in an address.
var ErrKeyInAddress = problem.New(http.StatusBadRequest, "API_KEY_IN_ADDRESS",
	"Never put an API key in an address, where others may read it: "+
		"send it in the header Authorization: Bearer <key>. If the key was real, revoke and replace it.")

// Classify returns the problem of an error. Only Classify logs errors of requests, and only errors
// that the client did not cause.
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

// Problems turns errors of requests into problems, and logs errors that the client did not cause.
type Problems struct {
	Log *slog.Logger
}

// Keys under which a request stores the reason of its rejection, and its credential.
const (
	RefusedKey = "refused"
	SuspectKey = "suspect"
)

// RefusalStatus and refusalCode mark the problems that are logged: rejected access. Other problems of
// a request concern only the client, and are not logged.
var (
	RefusalStatus = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	refusalCode   = []string{ErrKeyInAddress.Code, CodeUnknownHost}
)

// Reason is the reason why a request was rejected.
type Reason struct {
	Code string
	Err  error // more detail than the code; nil: none
}

// Suspect holds the known facts about the sender of a rejected request.
type Suspect struct {
	Grant access.Grant // rights of a known credential, which may be proven or only claimed
	Via   string       // how the credential came; "": as presented returns it
	Shown string       // the part of a wrong secret that may be shown
}

// Refuse stores the reason why a request is rejected, for the record of rejected requests.
func Refuse(c *gin.Context, code string, err error) {
	if own := (*problem.Problem)(nil); errors.As(err, &own) {
		err = nil // the error repeats the code
	}
	c.Set(RefusedKey, Reason{code, err})
}

// noteProblem notes a problem that is a refusal.
func noteProblem(c *gin.Context, p *problem.Problem, err error) {
	if slices.Contains(RefusalStatus, p.Status) || slices.Contains(refusalCode, p.Code) {
		Refuse(c, p.Code, err)
	}
}

// IDKey is the key under which a request stores its id.
const IDKey = "request_id"

// CodeUnknownHost is the code of a request for an unknown host name.
const CodeUnknownHost = "UNKNOWN_HOST"
