package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/proxy"
	"github.com/rollcall-dev/rollcall/web"
)

// from returns the response to a GET request of a peer for a host. It opens no connection.
func (l *lab) from(peer, host, path string, header ...string) reply {
	l.t.Helper()
	r := httptest.NewRequestWithContext(l.t.Context(), http.MethodGet, path, nil)
	r.RemoteAddr, r.Host = peer, host
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	l.api.ServeHTTP(w, r)
	return reply{l.t, w.Code, w.Header(), w.Body.String()}
}

const (
	herePeer = "127.0.0.1:4000"
	farPeer  = "192.0.2.9:4000"
)

// TestFirstKey_RequestsJustBefore_KeyHasItsTenantAtOnce: another process makes the key. The API does not take a
// request with it for one of the owner.
func TestFirstKey_RequestsJustBefore_KeyHasItsTenantAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/api/v1/tasks").is(http.StatusOK) // the API knows that there is no key
	l.look("/api/v1/tasks", "Authorization", "Bearer none").is(http.StatusOK)
	_, secret, err := access.New(l.db, access.Options{Now: l.clock}).Create(t.Context(), "test", access.Draft{Tenant: "acme", Name: "k", Role: access.Operator})
	fine(t, err)
	l.look("/api/v1/tasks", "Authorization", "Bearer "+secret).is(http.StatusOK)
	l.look("/api/v1/nodes", "Authorization", "Bearer none").is(http.StatusUnauthorized)
	l.as(secret).accepted("p.csv", rows(1), "")
	var tenant string
	fine(t, l.db.Read.Raw("SELECT tenant FROM tasks").Scan(&tenant).Error)
	if tenant != "acme" {
		t.Errorf("the task is of tenant %q", tenant)
	}
}

// TestFirstKey_NotFromThisMachine_IsAskedForAKey: while there is no key, only a direct caller of
// this machine is the owner.
func TestFirstKey_NotFromThisMachine_IsAskedForAKey(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.Hosts = []string{"import.example"} })
	for _, one := range [][]string{
		{herePeer, "localhost", "X-Forwarded-For", "198.51.100.7"},
		{herePeer, "localhost", "X-Forwarded-For", "127.0.0.1"},
		{herePeer, "localhost", "X-Forwarded-For", ""},
		{herePeer, "localhost", "X-Forwarded-Proto", "https"},
		{herePeer, "localhost", "X-Forwarded-Host", "localhost"},
		{herePeer, "localhost", "Forwarded", "for=127.0.0.1"},
		{herePeer, "localhost", "X-Real-IP", "127.0.0.1"},
		{herePeer, "localhost", "Via", "1.1 proxy"},
		{herePeer, "import.example"},
		{farPeer, "localhost"},
		{farPeer, "127.0.0.1:8080"},
		{"@", "localhost"},
	} {
		for _, path := range []string{"/api/v1/tasks", "/api/v1/nodes", "/metrics"} {
			r := l.from(one[0], one[1], path, one[2:]...)
			r.refuses(http.StatusUnauthorized, "FIRST_KEY_REQUIRED", "api keys create")
			if got := r.header.Get("WWW-Authenticate"); got != `Bearer realm="rollcall"` {
				t.Errorf("WWW-Authenticate = %q", got)
			}
		}
		for _, path := range []string{"/", "/sign-in"} {
			if r := l.from(one[0], one[1], path, one[2:]...); !strings.Contains(r.body, "api keys create --name NAME") {
				t.Errorf("%q: %s answered %d without the command", one, path, r.status)
			}
		}
		l.from(one[0], one[1], "/healthz", one[2:]...).is(http.StatusOK)
	}
	for _, peer := range []string{herePeer, "[::1]:4000", "127.9.9.9:4000"} {
		for _, host := range []string{"localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST:8080", "localhost.", "app.localhost"} {
			l.from(peer, host, "/api/v1/nodes").is(http.StatusOK)
		}
	}
	_, secret := l.member("default", access.Viewer)
	l.from(farPeer, "localhost", "/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REQUIRED")
	l.from(farPeer, "localhost", "/api/v1/tasks", "Authorization", "Bearer "+secret).is(http.StatusOK)
}

func TestFirstKey_OverATrustedProxy_IsAskedForAKey(t *testing.T) {
	t.Parallel()
	l := behind(t)
	l.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "FIRST_KEY_REQUIRED")
	l.look("/api/v1/tasks", "X-Forwarded-For", "127.0.0.1").refuses(http.StatusUnauthorized, "FIRST_KEY_REQUIRED")
}

func TestFirstKey_ProgramThatGuards_LetsItsCallersIn(t *testing.T) {
	t.Parallel()
	trusted, err := proxy.Parse([]string{"192.0.2.0/24"})
	fine(t, err)
	l := newLab(t, func(o *web.Options) {
		o.Guarded, o.Hosts, o.TrustedProxies = true, []string{"import.example"}, trusted
	})
	l.from(farPeer, "import.example", "/api/v1/nodes", "X-Forwarded-For", "198.51.100.7").is(http.StatusOK)
}

// TestWalkFirstKey: each path refuses a forwarded request while there is no key.
func TestWalkFirstKey(t *testing.T) {
	t.Parallel()
	w := &walk{newLab(t), map[string]string{"{open}": "/tasks/" + unknownID}}
	w.every(http.StatusUnauthorized, "FIRST_KEY_REQUIRED", setHeader("X-Forwarded-For", "198.51.100.7"))
}

func TestHost_AllowedAddress_AnyPortAndBrackets(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.Guarded, o.Hosts = true, []string{"2001:db8::1", "import.example"} })
	for host, want := range map[string]int{
		"[2001:db8::1]": http.StatusOK, "[2001:db8::1]:8080": http.StatusOK, "import.example:8080": http.StatusOK,
		"[2001:db8::2]": http.StatusMisdirectedRequest, "": http.StatusMisdirectedRequest,
	} {
		l.from(farPeer, host, "/api/v1/nodes").is(want)
	}
}
