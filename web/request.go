package web

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

const (
	requestHeader = "X-Request-Id"
)

// requestID gives each request an id for responses and logs. The id is the caller's X-Request-Id if
// that consists of 1 to 128 letters, digits, "-", "_" and ".". Otherwise, the id is a new UUID.
func requestID(c *gin.Context) {
	id := c.GetHeader(requestHeader)
	if !plain(id) {
		id = uuid.NewString()
	}
	c.Set(request.IDKey, id)
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

// headers sets the security headers of all responses. Pages replace Referrer-Policy.
func headers(c *gin.Context) {
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Referrer-Policy", "no-referrer")
	c.Header("X-Frame-Options", "DENY")
}

// checkHost returns an error if the header Host has a name that is not allowed.
func (s *Server) checkHost(c *gin.Context) error {
	if textutil.IsLoopbackHost(c.Request.Host) || slices.Contains(s.opt.Hosts, textutil.HostName(c.Request.Host)) {
		return nil
	}
	return problem.New(http.StatusMisdirectedRequest, request.CodeUnknownHost,
		"This service does not answer under this host name. The operator can allow it with HOSTS.")
}

// originProtection detects requests that change something and that a browser sends on behalf of another
// site's page.
var originProtection = http.NewCrossOriginProtection()

func checkOrigin(c *gin.Context) error {
	if originProtection.Check(c.Request) != nil {
		return problem.New(http.StatusForbidden, "CROSS_ORIGIN", "Pages of other sites must not send this request.")
	}
	return nil
}

// checkEncoding returns an error for a URL with a malformed query, or with characters that the database
// cannot store.
func checkEncoding(c *gin.Context) error {
	if c.Request.URL.RawQuery == "" && textutil.Storable(c.Request.URL.Path) {
		return nil // the usual case: a poll
	}
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	ok := err == nil && textutil.Storable(c.Request.URL.Path)
	for name, values := range query {
		ok = ok && textutil.Storable(name) && textutil.Storable(strings.Join(values, ""))
	}
	if !ok {
		return problem.New(http.StatusBadRequest, "INVALID_ADDRESS",
			"The address must be percent-encoded UTF-8 without NUL.")
	}
	return nil
}

// boundBodyTime sets the deadline for the next part of a request body. The deadline also applies to bodies
// that no handler reads, because net/http reads their beginning before it sends the response.
func (s *Server) boundBodyTime(c *gin.Context) {
	if c.Request.ContentLength != 0 {
		// An error means that the connection has no deadlines. The server that accepted the
		// connection then bounds the time.
		_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(s.opt.StallTimeout))
	}
}

// If a handler refuses a request without reading its body, net/http reads at most readByHTTP bytes of it.
// takeRest then reads further bytes for at most restTime.
const (
	readByHTTP = 256 << 10
	restTime   = 5 * time.Second
)

// takeRest sends the response to a refused request, then reads and discards the rest of the body.
// Otherwise, the server would close the connection while the client still sends the body. The client
// would then report a broken connection instead of the response. Clients do not wait for takeRest,
// because the response has a Content-Length. takeRest does nothing if the request declares at most
// readByHTTP bytes. It also does not read on after a body that came too slowly, or while the client
// waits for status 100.
func takeRest(c *gin.Context) {
	if size := c.Request.ContentLength; size >= 0 && size <= readByHTTP {
		return // Gin calls the next handler
	}
	body := &markedBody{ReadCloser: c.Request.Body}
	c.Request = c.Request.WithContext(c.Request.Context()) // net/http needs the body of its own request
	c.Request.Body = body
	c.Next()
	status, waits := c.Writer.Status(), c.GetHeader("Expect") != "" && !body.read
	if status < http.StatusBadRequest || status == http.StatusRequestTimeout || waits {
		return
	}
	c.Writer.Flush()
	if http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(restTime)) == nil {
		_, _ = io.Copy(io.Discard, body) // an error means that the client has left, or that the time is over
	}
}

// markedBody is a body that records whether it was read. net/http sends status 100 at the first read.
type markedBody struct {
	io.ReadCloser
	read bool
}

func (b *markedBody) Read(p []byte) (int, error) {
	b.read = true
	return b.ReadCloser.Read(p)
}

// noStore sets a Cache-Control that forbids caching. Handlers may set another value.
func noStore(c *gin.Context) { c.Header("Cache-Control", "no-store") }
