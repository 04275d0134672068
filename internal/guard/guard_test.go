package guard_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/guard"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"8.8.8.8": true, "1.1.1.1": true, "172.15.0.1": true, "172.32.0.1": true, "100.63.255.255": true,
		"2606:4700:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "127.255.0.9": false, "10.0.0.1": false, "172.16.0.1": false,
		"192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false,
		"0.1.2.3": false, "224.0.0.1": false, "255.255.255.255": false, "240.0.0.1": false,
		"192.0.0.192": false, "198.18.0.1": false,
		"::1": false, "::": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::127.0.0.1": false,
		"fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "ff02::1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false, "2002:7f00:1::": false, "2001::1": false,
		"::ffff:0:127.0.0.1": false, "::ffff:0:8.8.8.8": false, "2002:0808:0808::1": false, "64:ff9b::808:808": false,
		"fec0::1": false, "2606:4700::1%eth0": false,
	}
	for text, want := range tests {
		if got := guard.Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("Public(%s) = %v, want %v", text, got, want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	good := []string{
		"https://example.com", "http://example.com:8080/a?b=c", "https://8.8.8.8/x", "https://[2606:4700::1]:443/",
		"https://my-host_1.example.com./", "https://EXAMPLE.com",
	}
	for _, u := range good {
		if err := guard.CheckURL(u, false); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
	bad := []string{
		"", "example.com", "//example.com", "/x", "ftp://example.com", "file:///etc/passwd", "javascript:alert(1)",
		"http:example.com", "http://", "http://:80", "http://a@example.com", "http://a:b@example.com",
		"http://example.com#x", "http://example.com#", "http://example.com:0", "http://example.com:65536",
		"http://example.com:", "http://exa mple.com", "http://a..b", "http://.a", "http://ex\x00ample.com",
		"http://exämple.com", "http://127.1", "http://0x7f.1", "http://0x7f000001", "http://2130706433",
		"http://017700000001", "http://127.0.0.1.", "http://1.2.3.4.5", "http://a,b", "gopher://x",
		"https://example.com/" + strings.Repeat("x", 2048),
	}
	for _, u := range bad {
		if guard.CheckURL(u, true) == nil {
			t.Errorf("%q was accepted", u)
		}
	}
	for _, u := range []string{
		"http://127.0.0.1", "http://[::1]:80", "http://[::ffff:10.0.0.1]", "http://169.254.169.254/latest",
		"http://localhost:80", "http://a.LOCALHOST", "http://metadata.google.internal", "http://[fe80::1%25eth0]/",
		"http://printer.local",
	} {
		if err := guard.CheckURL(u, false); !errors.Is(err, guard.ErrNotPublic) {
			t.Errorf("%s = %v, want ErrNotPublic", u, err)
		}
		if err := guard.CheckURL(u, true); err != nil {
			t.Errorf("%s, private allowed: %v", u, err)
		}
	}
}

// listener starts a server of this machine. It returns its port, and a function that returns how
// many requests came.
func listener(t *testing.T) (port string, hits func() int) {
	t.Helper()
	n := make(chan struct{}, 100)
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n <- struct{}{} }))
	t.Cleanup(srv.Close)
	_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port, func() int { return len(n) }
}

// TestTheConnectionCounts: names of this machine, and all forms of its address, are refused when
// the connection is made.
func TestTheConnectionCounts(t *testing.T) {
	t.Parallel()
	port, hits := listener(t)
	client := guard.Client(guard.Options{})
	for _, host := range []string{
		"localhost", "127.0.0.1", "127.0.0.2", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
		"169.254.169.254", "10.255.255.1",
	} {
		resp, err := client.Get("http://" + host + ":" + port)
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s was reached", host)
			continue
		}
		// A resolver may refuse the unusual forms. Then there is no connection.
		var unknown *net.DNSError
		if !errors.Is(err, guard.ErrNotPublic) && !errors.As(err, &unknown) {
			t.Errorf("%s: %v, want ErrNotPublic", host, err)
		}
	}
	if hits() != 0 {
		t.Errorf("%d requests came through", hits())
	}
}

func TestPrivateIsReachedWhereAllowed(t *testing.T) {
	t.Parallel()
	port, hits := listener(t)
	resp, err := guard.Client(guard.Options{AllowPrivate: true}).Get("http://localhost:" + port)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if hits() != 1 {
		t.Errorf("%d requests came through, want 1", hits())
	}
}

// TestRedirectsAreAnswers: redirects are not followed, whatever their target is.
func TestRedirectsAreAnswers(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.RedirectHandler("http://169.254.169.254/latest/meta-data", http.StatusFound))
	t.Cleanup(srv.Close)
	resp, err := guard.Client(guard.Options{AllowPrivate: true}).Post(srv.URL, "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusFound {
		t.Errorf("status %d, want the redirect itself", resp.StatusCode)
	}
}

// TestAHangEnds: a receiver accepts the request and does not answer.
func TestAHangEnds(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(srv.Close)
	t.Cleanup(func() { close(over) })
	client := guard.Client(guard.Options{AllowPrivate: true, Timeout: 50 * time.Millisecond})
	resp, err := client.Get(srv.URL)
	var timeout net.Error
	if err == nil {
		resp.Body.Close()
	}
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("err = %v, want a timeout", err)
	}
}
