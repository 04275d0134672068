package dispatch

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/version"
	"github.com/rollcall-dev/rollcall/tasks"
)

// maxResponse is how much of an answer is read and kept, in bytes.
const maxResponse = 1 << 10

// userAgent names the sender of webhooks to their servers.
var userAgent = "Rollcall-Webhooks/1 Rollcall/" + version.Number()

// post makes one try of a webhook.
func (c *Courier) post(ctx context.Context, p *tasks.Parcel) result {
	req, err := c.request(ctx, p)
	if err != nil {
		return result{err: textutil.Truncate(err.Error(), maxFault)}
	}
	resp, err := c.opt.Client.Do(req)
	if err != nil {
		return result{err: textutil.Truncate(c.excuse(err), maxFault)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	r := result{status: resp.StatusCode, response: string(body)}
	switch {
	case resp.StatusCode/100 == 2: // what comes behind the head does not matter
		return r
	case resp.StatusCode/100 == 3:
		r.err = "answered with a redirect, which is not followed: register the address it leads to"
	case resp.StatusCode == http.StatusGone:
		r.err, r.gone = "answered that it is gone: nothing more is sent there", true
	default:
		r.err = fmt.Sprintf("answered %d", resp.StatusCode)
	}
	if err != nil {
		r.err += ", and broke off"
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable {
		r.after = retryAfter(resp.Header.Get("Retry-After"), c.opt.Now())
	}
	return r
}

// request is a notice in the form of Standard Webhooks.
func (c *Courier) request(ctx context.Context, p *tasks.Parcel) (*http.Request, error) {
	n := p.Notice()
	body, err := json.Marshal(letterOf(&n))
	if err != nil {
		return nil, err
	}
	id, at := n.ID(), strconv.FormatInt(c.opt.Now().Unix(), 10)
	signature, err := sign(p.Secret, id, at, body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": userAgent,
		"Webhook-Id": id, "Webhook-Timestamp": at, "Webhook-Signature": signature,
	} {
		req.Header.Set(name, value)
	}
	if c.opt.Trace != nil {
		if parent := c.opt.Trace(p.Task.ID); parent != "" {
			req.Header.Set("Traceparent", parent)
		}
	}
	return req, nil
}

// errSecret means a secret is not in the form of Standard Webhooks.
var errSecret = errors.New("the signing secret is damaged")

// sign makes the signature of a body: v1, HMAC-SHA256.
func sign(secret, id, at string, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 {
		return "", errSecret
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(fmt.Appendf(nil, "%s.%s.%s", id, at, body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

// excuse says in words why there was no answer. It tells the owner of the
// webhook nothing of the network between.
func (c *Courier) excuse(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	var whole *url.Error
	switch {
	case errors.Is(err, guard.ErrNotPublic):
		return guard.ErrNotPublic.Error()
	case errors.As(err, &dns):
		return "the name of the host cannot be resolved"
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("no answer within %v", c.opt.Client.Timeout)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed without an answer"
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return "the host cannot be reached"
	}
	if errors.As(err, &whole) {
		err = whole.Err
	}
	return err.Error()
}

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
