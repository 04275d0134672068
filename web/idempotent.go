package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

const (
	idempotencyHeader = "Idempotency-Key"
	maxIdempotencyKey = 255 // bytes
)

// keepTimeout bounds how long a request waits to store its response or to release its
// Idempotency-Key.
const keepTimeout = 5 * time.Second

// keptHeaders are the headers of a response that are stored with it.
var keptHeaders = []string{
	"Content-Type", "Content-Language", "Location", "Retry-After", "ETag", "Preference-Applied",
}

// keptHead holds the stored parts of a response other than status and body.
type keptHead struct {
	Header map[string]string `json:"header,omitempty"`
	Secret bool              `json:"secret,omitempty"` // the response showed a secret, so its body is not stored
}

// idempotent executes a POST to the API with an Idempotency-Key and stores the response. It answers
// repetitions with the stored response. Responses with status 5xx, 408 or 429 are not stored, because
// the next response may differ. Responses to requests with an incomplete body are not stored either.
// Requests without the header pass unchanged.
func (s *Server) idempotent(c *gin.Context) error {
	lines := c.Request.Header.Values(idempotencyHeader)
	if len(lines) == 0 || c.Request.Method != http.MethodPost || s.opt.Idempotency == nil ||
		!strings.HasPrefix(c.FullPath(), "/api/") {
		return nil
	}
	key, ok := idempotencyKey(lines)
	if !ok {
		return problem.New(http.StatusBadRequest, "IDEMPOTENCY_KEY_INVALID",
			"Idempotency-Key must be 1 to 255 printable ASCII characters, for example a UUID, with or without quotes.")
	}
	claim, done, err := s.claim(c, key)
	if err != nil {
		return err
	}
	print := request.NewFingerprintBody(c.Request)
	c.Request.Body = print
	if done != nil {
		return s.repeat(c, print, done)
	}
	return s.perform(c, &request.Idempotent{Store: s.opt.Idempotency, Claim: claim, Print: print})
}

// idempotencyKey returns the Idempotency-Key in the lines of the header, and whether it is valid. The
// value may have quotes, as in the IETF draft, or no quotes, as many clients send it.
func idempotencyKey(lines []string) (key string, ok bool) {
	if len(lines) != 1 {
		return "", false
	}
	key = strings.TrimSpace(lines[0])
	if inner, quoted := strings.CutPrefix(key, `"`); quoted {
		if key, quoted = strings.CutSuffix(inner, `"`); !quoted {
			return "", false
		}
	}
	odd := func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }
	return key, key != "" && len(key) <= maxIdempotencyKey && !strings.ContainsFunc(key, odd)
}

// claim claims the Idempotency-Key of a request. If a response is stored under it, claim returns that
// response instead.
func (s *Server) claim(
	c *gin.Context, key string,
) (*idempotency.Claim, *idempotency.Answer, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), route.ReadTimeout)
	defer cancel()
	of := request.Tenant(c)
	if request.Caller(c).May(access.ServiceWrite) { // a response about another tenant is stored for that tenant
		of = cmp.Or(c.Param("tenant"), of)
	}
	return s.opt.Idempotency.Claim(ctx, idempotency.Request{
		Tenant: of, Key: key, Target: request.Target(c.Request, c.FullPath()), Task: taskIn(c),
	})
}

// perform executes the request, and calls the method `note` before it sends the response. If `note` has not
// stored the response, perform releases the Idempotency-Key.
func (s *Server) perform(c *gin.Context, a *request.Idempotent) error {
	w, r := &bufferedResponse{ResponseWriter: c.Writer}, c.Request
	ctx, end := context.WithCancelCause(r.Context())
	stop := a.Renewing(ctx, end)
	kept := false
	defer func() {
		c.Writer, c.Request = w.ResponseWriter, r
		end(nil)
		stop()
		if !kept {
			s.release(r.Context(), a)
		}
	}()
	c.Writer, c.Request = w, r.WithContext(ctx)
	c.Set(request.IdempotentKey, a)
	c.Next()
	kept = s.note(c, a, w)
	return w.send()
}

// note stores the response, and reports whether this succeeded. If the response contains a secret, note
// stores only its status. It does not store a response with status 5xx, 408 or 429, or a response to a
// request with an incomplete body.
func (s *Server) note(c *gin.Context, a *request.Idempotent, w *bufferedResponse) bool {
	_, err := io.CopyN(io.Discard, a.Print, input.MaxField) // the rest of the body, which no handler has read
	print, whole := a.Print.Sum()
	status := w.Status()
	if err != nil && !errors.Is(err, io.EOF) || !whole || status >= http.StatusInternalServerError ||
		status == http.StatusTooManyRequests || status == http.StatusRequestTimeout {
		return false
	}
	answer := idempotency.Answer{Print: print, Status: status}
	head := keptHead{Secret: a.Hidden}
	if !a.Hidden {
		answer.Body, head.Header = w.body.Bytes(), map[string]string{}
		for _, name := range keptHeaders {
			if value := w.Header().Get(name); value != "" {
				head.Header[name] = value
			}
		}
	}
	text, err := json.Marshal(head)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), keepTimeout)
		defer cancel()
		answer.Head = string(text)
		err = s.opt.Idempotency.Keep(ctx, a.Claim, answer)
	}
	if err != nil { // the request was carried out, and is answered
		s.opt.Log.WarnContext(c.Request.Context(), "response not stored for its idempotency key",
			"request", c.GetString(request.IDKey), "err", err)
	}
	return err == nil
}

// release ends the claim on the Idempotency-Key, so that a repetition of the request can begin at
// once.
func (s *Server) release(ctx context.Context, a *request.Idempotent) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
	defer cancel()
	if err := a.Store.Release(ctx, a.Claim); err != nil { // the claim expires by itself
		s.opt.Log.WarnContext(ctx, "idempotency key not released", "err", err)
	}
}

// repeat answers with the stored response. It returns an error if the request differs from the first
// request with its Idempotency-Key, or if the response contained a secret.
func (s *Server) repeat(c *gin.Context, p *request.FingerprintBody, first *idempotency.Answer) error {
	c.Abort()
	b := input.Open(c.Writer, c.Request, s.opt.MaxUpload+input.MaxFields, s.opt.StallTimeout)
	_, err := io.Copy(io.Discard, b)
	b.End(err == nil)
	if b.Late {
		c.Header("Connection", "close")
		return problem.ErrTooSlow
	}
	if err != nil {
		return s.intake.BodyProblem(err)
	}
	if print, _ := p.Sum(); print != first.Print {
		return problem.ErrKeyReused
	}
	var head keptHead
	if err := json.Unmarshal([]byte(first.Head), &head); err != nil {
		return err
	}
	c.Header("Idempotency-Replayed", "true")
	if head.Secret {
		return problem.ErrSecretShown
	}
	for name, value := range head.Header {
		c.Header(name, value)
	}
	c.Status(first.Status)
	if len(first.Body) == 0 {
		c.Writer.WriteHeaderNow()
		return nil
	}
	_, err = c.Writer.Write(first.Body)
	return err
}

// taskIn returns the id of the task that the path names, or of the task whose row the path names. It
// returns "" for other paths.
func taskIn(c *gin.Context) string {
	path := c.FullPath()
	if !strings.Contains(path, "/tasks/:id") && !strings.Contains(path, "/events/:id") {
		return ""
	}
	id, _, _ := strings.Cut(c.Param("id"), ".")
	return textutil.Truncate(textutil.Clean(id), 100)
}
