package web_test

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/conns"
)

func TestOpenPaths_TooManyRequestsOfAnAddress_AreRefused(t *testing.T) {
	t.Parallel()
	l := behind(t)
	l.opt.OpenRate = 1
	l.serve()
	_, l.secret = l.member("default", access.Viewer)
	from := func(path, client string) reply {
		t.Helper()
		return l.look(path, "X-Forwarded-For", client)
	}
	from("/docs", "198.51.100.7").is(http.StatusOK)
	for _, path := range []string{"/docs", "/openapi.json", "/problems/not-found", "/sign-in", "/sign-in/oidc", "/static/style.css", "/nothing"} {
		from("/docs", "198.51.100.7") // counts if a minute has passed
		r := from(path, "198.51.100.7")
		r.refuses(http.StatusTooManyRequests, "RATE_LIMITED")
		if after, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || after < 1 || after > 60 {
			t.Errorf("%s: Retry-After %q", path, r.header.Get("Retry-After"))
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/api/v1/kinds"} {
		from(path, "198.51.100.7").is(http.StatusOK)
	}
	from("/docs", "198.51.100.8").is(http.StatusOK)
}

// TestAtWork_ClientsBehindATrustedProxy_AreCountedApart: a client with an open stream may not send more requests,
// but another client of the proxy may.
func TestAtWork_ClientsBehindATrustedProxy_AreCountedApart(t *testing.T) {
	t.Parallel()
	l := behind(t)
	_, l.secret = l.member("default", access.Reviewer)
	bounded := *l
	bounded.bound(conns.Limits{PerAddress: 1})
	id := l.accepted("a.csv", rows(1), "")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, bounded.url+"/api/v1/tasks/"+id+"/stream", nil)
	fine(t, err)
	req.Header.Set("X-Forwarded-For", "198.51.100.7")
	req.Header.Set("Authorization", "Bearer "+l.secret)
	stream, err := http.DefaultTransport.RoundTrip(req)
	fine(t, err)
	defer stream.Body.Close()
	from := func(client string) reply { return bounded.look("/api/v1/kinds", "X-Forwarded-For", client) }
	r := from("198.51.100.7")
	if r.refuses(http.StatusTooManyRequests, "RATE_LIMITED"); r.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", r.header.Get("Retry-After"))
	}
	from("198.51.100.8").is(http.StatusOK)
	leave()
	l.until("a place for the client", func() bool { return from("198.51.100.7").status == http.StatusOK })
}

// bound makes the lab limit connections.
func (l *lab) bound(limits conns.Limits) {
	var lc net.ListenConfig
	listener, err := lc.Listen(l.t.Context(), "tcp", "127.0.0.1:0")
	fine(l.t, err)
	srv := conns.Server(l.api)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(conns.NewTable(limits, l.opt.TrustedProxies.Has).Listen(listener)) }()
	l.t.Cleanup(func() { _ = srv.Close(); <-served })
	l.url = "http://" + listener.Addr().String()
}
