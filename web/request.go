package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

const (
	requestKey    = "request_id"
	requestHeader = "X-Request-Id"
)

// requestID names the request in answers and logs: as the caller called it, if
// that is a plain word, else anew.
func requestID(c *gin.Context) {
	id := c.GetHeader(requestHeader)
	if !plain(id) {
		id = uuid.NewString()
	}
	c.Set(requestKey, id)
	c.Header(requestHeader, id)
}

func plain(s string) bool {
	for _, r := range s {
		word := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !word && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return s != "" && len(s) <= 128
}

// headers that every answer carries.
func headers(c *gin.Context) {
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Referrer-Policy", "no-referrer")
	c.Header("X-Frame-Options", "DENY")
}

// codeUnknownHost is the code of a request for a host that is not ours.
const codeUnknownHost = "UNKNOWN_HOST"

// ourName refuses a request for a host that is not ours.
func (s *Server) ourName(c *gin.Context) error {
	if auth.IsLoopback(c.Request.Host) || slices.Contains(s.opt.Hosts, auth.HostName(c.Request.Host)) {
		return nil
	}
	return problem.New(http.StatusMisdirectedRequest, codeUnknownHost,
		"This service does not answer under that name; its operator can allow it with HOSTS.")
}

// origin refuses changes that a browser sends for another site's page.
var origin = http.NewCrossOriginProtection()

func sameOrigin(c *gin.Context) error {
	if origin.Check(c.Request) != nil {
		return problem.New(http.StatusForbidden, "CROSS_ORIGIN", "A page of another site may not do this.")
	}
	return nil
}

// wellFormed refuses addresses that no ledger can look up.
func wellFormed(c *gin.Context) error {
	if c.Request.URL.RawQuery == "" && textutil.Storable(c.Request.URL.Path) {
		return nil // most polls
	}
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	ok := err == nil && textutil.Storable(c.Request.URL.Path)
	for name, values := range query {
		ok = ok && textutil.Storable(name) && textutil.Storable(strings.Join(values, ""))
	}
	if !ok {
		return problem.New(http.StatusBadRequest, "INVALID_ADDRESS",
			"The address is not well encoded: it must be UTF-8 without NUL, and percent-encoded.")
	}
	return nil
}

// patient bounds how long the body of a request is waited for, also when no
// handler wants it: net/http reads some of it before it answers.
func (s *Server) patient(c *gin.Context) {
	if c.Request.ContentLength != 0 {
		// A connection that has no deadlines is its server's matter.
		_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(s.opt.Patience))
	}
}

// noStore keeps answers of the API out of caches; handlers may say otherwise.
func noStore(c *gin.Context) { c.Header("Cache-Control", "no-store") }

// readTimeout bounds what a request waits for the ledger.
const readTimeout = 10 * time.Second

// within bounds a handler. What it calls gets the request's context, never
// Gin's own, which serves the next request while others may still look at it.
func within(d time.Duration, h func(*gin.Context) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		whole := c.Request
		ctx, cancel := context.WithTimeout(whole.Context(), d)
		defer func() { cancel(); c.Request = whole }()
		c.Request = whole.WithContext(ctx)
		return h(c)
	}
}
