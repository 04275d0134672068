package web

import (
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/route"
)

// pagePolicy is the Content-Security-Policy of pages: they load styles, scripts and data from this
// service only.
const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; " +
	"connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// gate rejects requests whose credential does not give access to their path.
func (s *Server) gate(c *gin.Context) {
	if forPrograms(c.Request.URL.Path) {
		s.handle(s.admit)(c)
	} else {
		s.page(s.admitReader)(c)
	}
	if c.Writer.Written() {
		c.Abort() // the request was rejected
	}
}

// forPrograms reports whether a path belongs to the API, the health checks, the metrics or the contract,
// and not to a page.
func forPrograms(path string) bool {
	return strings.HasPrefix(path, "/api/") || slices.Contains([]string{"/healthz", "/readyz", metricsPath, contractPath}, path)
}

// page returns a Gin handler that calls h. If h returns an error, the handler answers with a page about
// the error.
func (s *Server) page(h route.Handler) gin.HandlerFunc {
	return s.answering(func(c *gin.Context) error {
		c.Header("Content-Security-Policy", pagePolicy)
		// If the policy is no-referrer, browsers do not send the origin with a form.
		c.Header("Referrer-Policy", "same-origin")
		return h(c)
	}, s.apologize)
}

// apologize answers with a page that shows a problem.
func (s *Server) apologize(c *gin.Context, prob *problem.Problem) {
	if c.Writer.Written() {
		answer(c, prob) // closes the connection, because an answer has begun
	}
	if prob.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(prob.RetryAfter))
	}
	if err := s.render.Page(c, prob.Status, "problem.html", render.ProblemPage(c, prob)); err != nil {
		answer(c, s.problems.Classify(c, err))
	}
}

// forReader returns a Gin handler that answers with a problem: as a page for browsers outside the API,
// otherwise as JSON.
func (s *Server) forReader(prob *problem.Problem) gin.HandlerFunc {
	fail := func(*gin.Context) error { return prob }
	asPage, asJSON := s.page(fail), s.handle(fail)
	return func(c *gin.Context) {
		api := strings.HasPrefix(c.Request.URL.Path, "/api/")
		if !api && strings.Contains(c.GetHeader("Accept"), "text/html") {
			asPage(c)
			return
		}
		asJSON(c)
	}
}

// toPageOfForm redirects a browser that opens the address of a form, for example after a reload. The redirect
// leads to the page of the form, which is the nearest page above the address.
func (s *Server) toPageOfForm(c *gin.Context) {
	r := c.Request
	if r.Method != http.MethodGet && r.Method != http.MethodHead ||
		forPrograms(r.URL.Path) || !strings.Contains(c.GetHeader("Accept"), "text/html") {
		return
	}
	for at := path.Dir(r.URL.EscapedPath()); ; at = path.Dir(at) {
		if s.isPage(at) {
			c.Redirect(http.StatusSeeOther, at)
			c.Abort()
			return
		}
		if at == "/" {
			return
		}
	}
}

// isPage reports whether a page has the given path.
func (s *Server) isPage(at string) bool {
	steps := strings.Split(at, "/")
	for _, r := range s.table {
		if !slices.Contains(r.Methods(), http.MethodGet) || forPrograms(r.Path) {
			continue
		}
		same := func(pattern, step string) bool {
			return pattern == step || strings.HasPrefix(pattern, ":") && step != ""
		}
		if slices.EqualFunc(strings.Split(r.Path, "/"), steps, same) {
			return true
		}
	}
	return false
}
