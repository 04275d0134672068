package web

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

// handle returns a Gin handler that calls h. If h returns an error, the handler answers with the problem
// of the error as JSON.
func (s *Server) handle(h route.Handler) gin.HandlerFunc { return s.answering(h, answer) }

// answering returns a Gin handler that calls h. If h returns an error, or the response could not be
// written, the function `render` answers with the problem of that error.
func (s *Server) answering(h route.Handler, render func(*gin.Context, *problem.Problem)) gin.HandlerFunc {
	return func(c *gin.Context) {
		err := h(c)
		if err == nil && len(c.Errors) > 0 {
			err = c.Errors.Last() // the answer could not be written
		}
		if err != nil {
			render(c, s.problems.Classify(c, err))
		}
	}
}

// answer sends a problem as the response. If a part of another response was already sent, answer closes
// the connection. The client then does not take that part for a complete response.
func answer(c *gin.Context, p *problem.Problem) {
	if c.Writer.Written() {
		panic(http.ErrAbortHandler)
	}
	out := p.Localize(c.GetString(request.LangKey))
	out.Title = http.StatusText(p.Status)
	at := base.Of(c.Request.Context())
	out.Type = at + "/problems/" + strings.ReplaceAll(strings.ToLower(p.Code), "_", "-")
	out.Instance = at + c.Request.URL.Path
	out.RequestID = c.GetString(request.IDKey)
	c.Writer.Header().Del("Content-Disposition")
	c.Writer.Header().Del("ETag")
	c.Writer.Header().Del("Repr-Digest")
	c.Header("Content-Type", "application/problem+json")
	c.Header("Cache-Control", "no-store")
	if p.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	c.Header("Content-Length", strconv.Itoa(len(text))) // the client need not wait for the end of takeRest
	c.Abort()
	c.Data(p.Status, "", text)
}

// recover answers with an internal error if a handler panics, and logs the panic with its stack. It
// passes http.ErrAbortHandler on to net/http.
func (s *Server) recover(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.opt.Log.ErrorContext(c.Request.Context(), "request panicked", "path", c.FullPath(),
			slog.Any("err", p), "stack", string(debug.Stack()))
		answer(c, problem.ErrInternal)
	}()
	c.Next()
}
