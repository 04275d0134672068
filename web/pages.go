package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/route"
)

// pagePolicy lets a page load its own style and script, and nothing else.
const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; " +
	"connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// gate rejects requests without the credential that the path requires.
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

// forPrograms reports whether a path is for programs instead of browsers.
func forPrograms(path string) bool {
	return strings.HasPrefix(path, "/api/") || slices.Contains([]string{"/healthz", "/readyz", metricsPath, contractPath}, path)
}

// page returns a handler of Gin that calls h and renders its errors as pages.
func (s *Server) page(h route.Handler) gin.HandlerFunc {
	return s.answering(func(c *gin.Context) error {
		c.Header("Content-Security-Policy", pagePolicy)
		// Without a referrer, the forms of the page would send no origin.
		c.Header("Referrer-Policy", "same-origin")
		return h(c)
	}, s.apologize)
}

// apologize answers with the page of a problem.
func (s *Server) apologize(c *gin.Context, prob *problem.Problem) {
	if c.Writer.Written() {
		answer(c, prob) // breaks off an answer that has begun
	}
	if prob.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(prob.RetryAfter))
	}
	if err := s.render.Page(c, prob.Status, "problem.html", render.ProblemPage(c, prob)); err != nil {
		answer(c, s.problems.Classify(c, err))
	}
}

// forReader answers a browser with a page, and other clients as the API does.
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
