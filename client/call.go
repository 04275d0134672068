package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"net/http"
	"time"
)

// call is one request, with its retries.
type call struct {
	method, path string
	header       map[string]string
	body         []byte        // sent again with every retry
	stream       *stream       // a body that is read while it is sent
	patience     time.Duration // added to Options.Timeout
}

// longestPause bounds the pause between two tries. A longer Retry-After ends the retries.
const longestPause = 30 * time.Second

// do makes a request, with retries, and returns its final response, whose body the caller closes.
// It does not retry a body that can be read only once. It also does not retry a PATCH that the
// service may have executed, because the service would reject the second PATCH.
func (c *Client) do(ctx context.Context, r call) (*http.Response, error) {
	for try := 1; ; try++ {
		res, err := c.once(ctx, r)
		pause, again := pauseAfter(err, try)
		again = again && (r.method != http.MethodPatch || !fateUnknown(err))
		if !again || try >= c.opt.Tries || r.stream.sendsOnce() || ctx.Err() != nil {
			return res, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		if err := r.stream.prepareResend(ctx); err != nil {
			return nil, fmt.Errorf("client: %s %s: send again: %w", r.method, r.path, err)
		}
	}
}

// pauseAfter returns the pause before the next try, and reports whether a retry may help.
func pauseAfter(err error, try int) (time.Duration, bool) {
	if err == nil {
		return 0, false
	}
	var p *Problem
	if errors.As(err, &p) {
		switch {
		case p.Code == "IDEMPOTENCY_IN_FLIGHT": // an earlier request with the same key still runs
		case p.Status == http.StatusTooManyRequests, p.Status == http.StatusBadGateway,
			p.Status == http.StatusServiceUnavailable, p.Status == http.StatusGatewayTimeout:
		default:
			return 0, false
		}
		if p.RetryAfter > 0 {
			return p.RetryAfter, p.RetryAfter <= longestPause
		}
	}
	most := min(time.Second<<min(try-1, 10), longestPause)
	return most/2 + mrand.N(most/2+1), true // spreads the retries of many clients
}

// fateUnknown reports whether the service may have executed a request that failed with `err`. This is so if
// no response arrived, or if a proxy received none from the service.
func fateUnknown(err error) bool {
	var p *Problem
	return !errors.As(err, &p) || p.Status == http.StatusBadGateway || p.Status == http.StatusGatewayTimeout
}

// once sends a request without retries. It cancels the request if there is no progress for longer than
// Options.Timeout plus r.patience. It returns a *Problem for a status of 300 or more, except 304.
func (c *Client) once(ctx context.Context, r call) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	silence := c.opt.Timeout + r.patience
	timer := time.AfterFunc(silence, func() { cancel(errSilent) })
	end := func() { timer.Stop(); cancel(nil) }
	var content io.Reader
	if r.stream != nil {
		content = r.stream.open(func(body io.Reader) io.Reader { return progressReader{body, timer, silence} })
	} else if r.body != nil {
		content = bytes.NewReader(r.body)
	}
	req, err := c.request(ctx, r, content)
	if err != nil {
		end()
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		end()
		return nil, fmt.Errorf("client: %s %s: %w", r.method, r.path, err)
	}
	res.Body = body{progressReader{res.Body, timer, silence}, res.Body, end}
	if res.StatusCode >= 300 && res.StatusCode != http.StatusNotModified {
		defer res.Body.Close()
		return nil, problemOf(res)
	}
	return res, nil
}

var errSilent = errors.New("the service sent nothing for too long")

// progressReader is a reader of a body. Each read restarts the timer that cancels the request.
type progressReader struct {
	from  io.Reader
	timer *time.Timer
	d     time.Duration
}

func (m progressReader) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.timer.Reset(m.d)
	return n, err
}

// body is the body of a response. Close also cancels the context of the request.
type body struct {
	io.Reader
	io.Closer
	end func()
}

func (b body) Close() error {
	defer b.end()
	return b.Closer.Close()
}

func (c *Client) request(ctx context.Context, r call, content io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, content)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	req.Header.Set("Accept-Language", c.opt.Language)
	req.Header.Set("User-Agent", "rollcall-go")
	if c.opt.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.opt.Key)
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	return req, nil
}

// get requests a path, and decodes the JSON response into `out`.
func (c *Client) get(ctx context.Context, path string, out any) error {
	return c.exchange(ctx, call{method: http.MethodGet, path: path}, out)
}

// post sends a value as JSON, and decodes the JSON response into `out`. The argument `key` is the
// idempotency key; "" means a new one.
func (c *Client) post(ctx context.Context, path, key string, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	return c.exchange(ctx, call{method: http.MethodPost, path: path, body: text, header: map[string]string{
		"Content-Type": "application/json", "Idempotency-Key": keyOr(key),
	}}, out)
}

// exchange makes a request, with retries, and decodes its JSON response into `out`.
func (c *Client) exchange(ctx context.Context, r call, out any) error {
	res, err := c.do(ctx, r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return fmt.Errorf("client: answer of %s %s: %w", r.method, r.path, err)
	}
	return nil
}

// keyOr returns the caller's idempotency key, or a new unique one.
func keyOr(key string) string {
	if key == "" {
		key = rand.Text()
	}
	return key
}

// sleep waits for d. If ctx ends first, it returns the cause.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
