package client

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options holds the settings of a Client. The zero value works.
type Options struct {
	// Key is the API key of every request. Default: none, for a service without keys.
	Key string

	// Language is the language of messages and hints: en, ru, vi, zh, or a language of a kind's
	// texts. Default "en".
	Language string

	// Timeout is the longest time without progress while the client sends a file, waits for the
	// response, or reads a result. After this time the try fails, and the client retries the request
	// as Tries allows. The client does not retry the reading of a result. Default 30s.
	Timeout time.Duration

	// Tries is the maximum number of tries of a request while the service is down or busy.
	// Default 5; 1 means no retry. If the service requests a pause of more than 30 seconds, the
	// client does not retry: see Problem.RetryAfter.
	Tries int

	// Transport makes the requests. Default: a copy of http.DefaultTransport with up to 16 idle
	// connections per host.
	Transport http.RoundTripper
}

func (o Options) withDefaults() Options {
	o.Language = cmp.Or(o.Language, "en")
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Tries = max(cmp.Or(o.Tries, 5), 1)
	if o.Transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = 16
		o.Transport = own
	}
	return o
}

// Client is a client of a Rollcall service with one API key. Make it with New. It is safe for
// concurrent use.
type Client struct {
	opt  Options
	base string // of the API, without a trailing slash
	http *http.Client
}

// New returns a client of the service at an address such as "https://rollcall.example.com". If a proxy
// serves the service under a path, the address includes the path. New returns an error for a scheme
// other than http and https, and for an address with a query or a fragment. It does no I/O.
func New(address string, opt Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("client: address: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(address, "?#") {
		return nil, fmt.Errorf("client: address %q is not http://host or https://host", address)
	}
	opt = opt.withDefaults()
	c := &Client{opt: opt, base: strings.TrimRight(address, "/") + "/api/v1"}
	c.http = &http.Client{Transport: opt.Transport, CheckRedirect: rejectRedirect}
	return c, nil
}

// rejectRedirect stops the client from following redirects. The API sends none, and the API key must not
// reach another host.
func rejectRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
