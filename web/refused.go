package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// refusedRequest holds the properties of a refused request that the log shows.
type refusedRequest struct {
	request.Reason
	status                             int
	method, route, client, request     string
	via, tenant, credential, presented string
}

// logRefusals adds each refused request to the log of refusals after its response. If the credential is
// known, it also adds the request to the audit log. Requests beyond a rate limit are not audited, except
// requests with CodeGuessing.
func (s *Server) logRefusals(c *gin.Context) {
	c.Next()
	status := c.Writer.Status()
	why, _ := c.Get(request.RefusedKey)
	known, ok := why.(request.Reason)
	if !ok && !slices.Contains(request.RefusalStatus, status) {
		return
	}
	known.Code = cmp.Or(known.Code, http.StatusText(status))
	r := s.refusalOf(c, known)
	s.refusals.add(r)
	if r.credential != "" && (status != http.StatusTooManyRequests || r.Code == problem.CodeGuessing) {
		s.refusedAudit.add(r)
	}
}

// refusalOf returns the properties of a refused request that the log shows.
func (s *Server) refusalOf(c *gin.Context, why request.Reason) refusedRequest {
	r := refusedRequest{
		Reason: why, status: c.Writer.Status(), method: c.Request.Method, route: c.FullPath(),
		client: c.ClientIP(), request: c.GetString(request.IDKey),
	}
	r.via, r.presented = s.presented(c)
	v, _ := c.Get(request.SenderKey)
	from, _ := v.(request.Sender) // without a Sender, the caller is the sender
	g := from.Grant
	if g.Key == "" {
		g = request.Caller(c)
	}
	r.tenant, r.credential = g.Tenant, g.Key
	if g.Role == access.Owner { // the owner acts in a tenant, but its keys have no tenant
		r.tenant = ""
	}
	r.via, r.presented = cmp.Or(from.Via, r.via), cmp.Or(from.Shown, r.presented)
	return r
}

// presented returns how a request carries its credential (link, session, token, API key or none), and
// the part of the credential that may be shown.
func (s *Server) presented(c *gin.Context) (via, shown string) {
	via, shown = s.guard.Credential(c.Request)
	if hasLink(c) && (via == "session" || via == "none") {
		return "link", ""
	}
	return via, shown
}

// writeRefusal logs a refused request. If the argument `left` is positive, writeRefusal logs instead
// that this many further requests were refused.
func (s *Server) writeRefusal(r refusedRequest, left int64) {
	level, text := slog.LevelWarn, "request refused"
	if r.Code == problem.ErrNoKey.Code || r.Code == problem.ErrFirstKey.Code { // such as the first visit of a user
		level = slog.LevelInfo
	}
	attrs := []any{"code", r.Code, "client", r.client, "via", r.via}
	if left > 0 {
		text, attrs = "more requests refused", append(attrs, "left_out", left)
	} else {
		attrs = append(attrs, "status", r.status, "method", textutil.Truncate(r.method, 20), "route", r.route, "request", r.request)
	}
	for _, f := range []struct{ name, value string }{
		{"tenant", r.tenant}, {"credential", r.credential}, {"presented", r.presented},
	} {
		if f.value != "" {
			attrs = append(attrs, f.name, f.value)
		}
	}
	if r.Err != nil {
		attrs = append(attrs, "err", textutil.Truncate(r.Err.Error(), 300))
	}
	s.opt.Log.Log(context.Background(), level, text, attrs...)
}
