package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Where a request keeps why it was refused, and the credential that it came with.
const (
	refusedKey = "refused"
	suspectKey = "suspect"
)

// refusalStatus and refusalCode mark the problems that the log has a line of: a door stayed
// shut. Other problems of a request are between the client and the API.
var (
	refusalStatus = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	refusalCode   = []string{errKeyInAddress.Code, codeUnknownHost}
)

// reason is why a request was refused.
type reason struct {
	code string
	err  error // with more than the code says; nil: none
}

// suspect is what is known of the sender of a refused request.
type suspect struct {
	grant access.Grant // of a credential that is known; it may be proven or only claimed
	via   string       // how the credential came; "": as presented returns it
	shown string       // the part of a wrong secret that may be shown
}

// refusedRequest is a line of the log.
type refusedRequest struct {
	reason
	status                             int
	method, route, client, request     string
	via, tenant, credential, presented string
}

// because notes why a request is refused.
func because(c *gin.Context, code string, err error) {
	if own := (*problem.Problem)(nil); errors.As(err, &own) {
		err = nil // it is the code
	}
	c.Set(refusedKey, reason{code, err})
}

// noteProblem notes a problem that is a refusal.
func noteProblem(c *gin.Context, p *problem.Problem, err error) {
	if slices.Contains(refusalStatus, p.Status) || slices.Contains(refusalCode, p.Code) {
		because(c, p.Code, err)
	}
}

// logRefusals logs each refused request, after it was answered.
func (s *Server) logRefusals(c *gin.Context) {
	c.Next()
	status := c.Writer.Status()
	why, _ := c.Get(refusedKey)
	known, ok := why.(reason)
	if !ok && !slices.Contains(refusalStatus, status) {
		return
	}
	known.code = cmp.Or(known.code, http.StatusText(status))
	r := s.refusalOf(c, known)
	s.refusals.add(r)
	if r.credential != "" && (status != http.StatusTooManyRequests || r.code == problem.CodeGuessing) {
		s.refusedAudit.add(r)
	}
}

// refusalOf returns the line of a refused request.
func (s *Server) refusalOf(c *gin.Context, why reason) refusedRequest {
	r := refusedRequest{
		reason: why, status: c.Writer.Status(), method: c.Request.Method, route: c.FullPath(),
		client: c.ClientIP(), request: c.GetString(requestKey),
	}
	r.via, r.presented = s.presented(c)
	v, _ := c.Get(suspectKey)
	from, _ := v.(suspect) // without one, nothing is known
	g := from.grant
	if g.Key == "" {
		g = caller(c)
	}
	r.tenant, r.credential = g.Tenant, g.Key
	if g.Role == access.Owner { // who works in a tenant, and is of none
		r.tenant = ""
	}
	r.via, r.presented = cmp.Or(from.via, r.via), cmp.Or(from.shown, r.presented)
	return r
}

// presented returns how a request brought its credential, and the part of the credential that
// may be shown.
func (s *Server) presented(c *gin.Context) (via, shown string) {
	via, shown = s.guard.Presented(c.Request)
	if linked(c) && (via == "session" || via == "none") {
		return "link", ""
	}
	return via, shown
}

// writeRefusal logs a line; left is how many like it were left out.
func (s *Server) writeRefusal(r refusedRequest, left int64) {
	level, text := slog.LevelWarn, "request refused"
	if r.code == problem.ErrNoKey.Code || r.code == problem.ErrFirstKey.Code { // such as the first visit of a user
		level = slog.LevelInfo
	}
	attrs := []any{"code", r.code, "client", r.client, "via", r.via}
	if left > 0 {
		text, attrs = "more requests refused", append(attrs, "left_out", left)
	} else {
		attrs = append(attrs, "status", r.status, "method", clipped(r.method, 20), "route", r.route, "request", r.request)
	}
	for _, f := range []struct{ name, value string }{
		{"tenant", r.tenant}, {"credential", r.credential}, {"presented", r.presented},
	} {
		if f.value != "" {
			attrs = append(attrs, f.name, f.value)
		}
	}
	if r.err != nil {
		attrs = append(attrs, "err", clipped(r.err.Error(), 300))
	}
	s.opt.Log.Log(context.Background(), level, text, attrs...)
}

// clipped returns the first bytes of a text.
func clipped(text string, most int) string { return text[:min(len(text), most)] }
