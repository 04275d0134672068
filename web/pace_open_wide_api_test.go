package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// statusFrom requests a page as a given peer.
func (l *lab) statusFrom(peer, path string, headers ...string) int {
	r := httptest.NewRequestWithContext(l.t.Context(), http.MethodGet, "http://localhost"+path, nil)
	r.RemoteAddr = peer
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	l.api.ServeHTTP(w, r)
	return w.Code
}

// TestOpenPaths_ProxyIsNotNamed_ClientsAreCountedApart: one client behind a proxy that TRUSTED_PROXIES lacks does
// not keep other clients from the sign-in page.
func TestOpenPaths_ProxyIsNotNamed_ClientsAreCountedApart(t *testing.T) {
	t.Parallel()
	for _, peer := range []string{"127.0.0.1:5000", "10.1.2.3:5000", "[::1]:5000", "[fd00::7]:5000", "100.64.0.9:5000"} {
		l := newLab(t)
		l.opt.OpenRate = 1
		l.serve()
		from := func(client string) int { return l.statusFrom(peer, "/sign-in", "X-Forwarded-For", client) }
		for l.t.Context().Err() == nil && from("198.51.100.7") == http.StatusOK {
			continue // one more is let in if a minute has passed
		}
		for i := range 3 {
			if got := from(fmt.Sprintf("198.51.100.%d", 20+i)); got != http.StatusOK {
				t.Errorf("%s: another client of the proxy got %d", peer, got)
			}
		}
	}
}

// TestOpenPaths_ForwardingHeadersAreForged_PeerIsBounded: a client that forges headers may send ten
// times as many requests if its address is private, and otherwise no more than others.
func TestOpenPaths_ForwardingHeadersAreForged_PeerIsBounded(t *testing.T) {
	t.Parallel()
	for peer, most := range map[string]int{"192.168.1.9:5000": 10, "203.0.113.9:5000": 1, "[2001:db8::9]:5000": 1} {
		l := newLab(t)
		l.opt.OpenRate = 1
		l.serve()
		in, begun := 0, time.Now()
		for i := range 50 {
			if l.statusFrom(peer, "/sign-in", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)) == http.StatusOK {
				in++
			}
		}
		if come := int(time.Since(begun).Minutes()*float64(most)) + 1; in < most || in > most+come {
			t.Errorf("%s: %d of 50 were let in, want %d", peer, in, most)
		}
	}
}

// TestOpenPaths_ClientOfATrustedProxy_CannotForge: a trusted proxy adds an address to the header. The client may
// have forged the addresses to the left of it, even if the added address is private.
func TestOpenPaths_ClientOfATrustedProxy_CannotForge(t *testing.T) {
	t.Parallel()
	l := behind(t)
	l.opt.OpenRate = 1
	l.serve()
	in, begun := 0, time.Now()
	for i := range 50 {
		said := fmt.Sprintf("198.51.100.%d, 10.1.2.3", i)
		if l.statusFrom("127.0.0.1:5000", "/sign-in", "X-Forwarded-For", said) == http.StatusOK {
			in++
		}
	}
	if in < 1 || in > 2+int(time.Since(begun).Minutes()) {
		t.Errorf("%d of 50 were let in, want 1", in)
	}
}

// TestOpenPaths_IPv6Networks_AreClients: all addresses of a network /64 count together, and a
// network /48 has ten times the limit.
func TestOpenPaths_IPv6Networks_AreClients(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		pattern string
		most    int
	}{
		"addresses of a /64": {"[2001:db8:1:2::%x]:5000", 1},
		"networks of a /48":  {"[2001:db8:1:%x::1]:5000", 10},
	} {
		l := newLab(t)
		l.opt.OpenRate = 1
		l.serve()
		in, begun := 0, time.Now()
		for i := range 50 {
			if l.statusFrom(fmt.Sprintf(want.pattern, i+1), "/sign-in") == http.StatusOK {
				in++
			}
		}
		if come := int(time.Since(begun).Minutes()*float64(want.most)) + 1; in < want.most || in > want.most+come {
			t.Errorf("%s: %d of 50 were let in, want %d", name, in, want.most)
		}
	}
}
