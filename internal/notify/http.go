package notify

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
	"github.com/rollcall-dev/rollcall/internal/words"
)

// maxResponse is how much of a response is read and stored, in bytes.
const maxResponse = 1 << 10

var userAgent = "Rollcall-Webhooks/1 Rollcall/" + version.Number()

// post makes one delivery attempt over HTTP.
func (d *Deliverer) post(ctx context.Context, c *Claim) reply {
	req, err := d.request(ctx, c)
	if err != nil {
		return reply{err: textutil.Truncate(err.Error(), maxErr)}
	}
	resp, err := d.opt.Client.Do(req)
	if err != nil {
		return reply{err: textutil.Truncate(d.describe(err), maxErr)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	r := reply{status: resp.StatusCode, response: string(body)}
	switch {
	case resp.StatusCode/100 == 2: // the body does not matter
		return r
	case resp.StatusCode/100 == 3:
		r.err = words.English("delivery.redirect", nil)
	case resp.StatusCode == http.StatusGone:
		r.err, r.gone = words.English("delivery.gone", nil), true
	default:
		key := "delivery.status"
		if err != nil {
			key = "delivery.broken"
		}
		r.err = words.English(key, map[string]string{"status": strconv.Itoa(resp.StatusCode)})
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable {
		r.retryAfter = parseRetryAfter(resp.Header.Get("Retry-After"), d.opt.Now())
	}
	return r
}

// request returns the HTTP request of a delivery, in the format of Standard Webhooks.
func (d *Deliverer) request(ctx context.Context, c *Claim) (*http.Request, error) {
	n := c.Notification()
	body, err := json.Marshal(payloadOf(&n, d.opt.Base))
	if err != nil {
		return nil, err
	}
	id, at := n.ID(), strconv.FormatInt(d.opt.Now().Unix(), 10)
	signature, err := sign(c.Secret, id, at, body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": userAgent,
		"Webhook-Id": id, "Webhook-Timestamp": at, "Webhook-Signature": signature,
	} {
		req.Header.Set(name, value)
	}
	if d.opt.Trace != nil {
		if parent := d.opt.Trace(c.Task.ID); parent != "" {
			req.Header.Set("Traceparent", parent)
		}
	}
	return req, nil
}

// errSecret means that a secret does not have the form of Standard Webhooks.
var errSecret = errors.New("the signing secret is damaged")

// sign returns the signature of a request with an id, a time and a body, in version v1:
// HMAC-SHA256.
func sign(secret, id, at string, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 {
		return "", errSecret
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(fmt.Appendf(nil, "%s.%s.%s", id, at, body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

// describe returns, as a text for users, why a request got no response. The text of a network error
// reveals no addresses, since the owner of the webhook reads it.
func (d *Deliverer) describe(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	var whole *url.Error
	switch {
	case errors.Is(err, guard.ErrNotPublic):
		return guard.ErrNotPublic.Error()
	case errors.As(err, &dns):
		return words.English("delivery.dns", nil)
	case errors.As(err, &timeout) && timeout.Timeout():
		return words.English("delivery.timeout", map[string]string{"time": d.opt.Client.Timeout.String()})
	case errors.Is(err, syscall.ECONNREFUSED):
		return words.English("delivery.refused", nil)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return words.English("delivery.closed", nil)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return words.English("delivery.unreachable", nil)
	}
	if errors.As(err, &whole) {
		err = whole.Err
	}
	return err.Error()
}

// parseRetryAfter parses a Retry-After header: seconds or a date. It returns 0 for any other value.
func parseRetryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
