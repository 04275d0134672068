package boot

import (
	"log/slog"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestDoctor_ProxyNotTrusted_IsNamed tests both databases.
func TestDoctor_ProxyNotTrusted_IsNamed(t *testing.T) {
	t.Parallel()
	real := newDesk(t, ledgers.Postgres(t), testenv.StartRedis(t))
	embedded := desk{t, real.cfg}
	embedded.cfg.DatabaseURL, embedded.cfg.RedisURL = "", ""
	for _, d := range []desk{real, embedded} {
		s, err := Open(t.Context(), d.cfg, noKinds, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		request := func(header string) {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost/healthz", nil)
			r.RemoteAddr = "10.1.2.3:4567"
			if header != "" {
				r.Header.Set(header, "198.51.100.7")
			}
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}
		says := func(want string) {
			t.Helper()
			lines, err := d.ask("doctor")
			if err != nil {
				t.Fatalf("doctor: %v, %v", err, lines)
			}
			d.states(lines, map[string]string{"proxies": want})
		}
		request("")
		says("ok")
		request("X-Forwarded-For")
		says("warn")
		d.cfg.Proxies = []string{"10.0.0.0/8"}
		says("ok")
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestService_ProxyTrusted_IsNotNoted(t *testing.T) {
	t.Parallel()
	cfg := settings.Config{DataDir: t.TempDir(), Concurrency: 1, Prefix: "p", Proxies: []string{"10.0.0.0/8"}}
	s, err := Open(t.Context(), cfg, noKinds, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	r := httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost/healthz", nil)
	r.RemoteAddr = "10.1.2.3:4567"
	r.Header["Forwarded"] = slices.Repeat([]string{"for=198.51.100.7"}, 2)
	s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	if s.app.forwarder.noted.Load() != 0 {
		t.Error("a trusted proxy was noted")
	}
}
