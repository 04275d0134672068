package client

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options tunes a Client. The zero value works.
type Options struct {
	// Key is the API key that every request carries. Default: none, as a
	// service without keys wants it.
	Key string

	// Language is that of messages and hints: en, ru, vi, zh, or another that
	// a kind has texts in. Default "en".
	Language string

	// Timeout is how long a request may stand still: until its answer begins,
	// and while a file is sent or a result is read. Default 30s.
	Timeout time.Duration

	// Tries is how often a request is made at most while the service is away or
	// busy. Default 5; 1 never tries again. One that asks for more than 30
	// seconds is not tried again: see Problem.RetryAfter.
	Tries int

	// Transport makes the requests. Default: one of its own, like
	// http.DefaultTransport.
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

// Client is a service as one key sees it. Make it with New; it may be used by
// any number of goroutines.
type Client struct {
	opt  Options
	base string // of the API, without a slash at its end
	http *http.Client
}

// New returns a client of the service at an address such as
// "https://rollcall.example.com", with a path if a proxy puts it below one. It
// does no I/O.
func New(address string, opt Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("client: address: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("client: address %q is not http://host or https://host", address)
	}
	opt = opt.withDefaults()
	c := &Client{opt: opt, base: strings.TrimRight(address, "/") + "/api/v1"}
	c.http = &http.Client{Transport: opt.Transport, CheckRedirect: stay}
	return c, nil
}

// stay follows no redirect: the API makes none, and a key is for one host.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
