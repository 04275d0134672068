package boot

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// TestHealthChecksEachListenAddress checks a process that listens on one address or on all addresses.
// The request has a host name that the service accepts. The request to a worker goes to its address
// for metrics. With --json the command prints an object, whether the process is ready or not.
func TestHealthChecksEachListenAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		status int
		reason string
	}{
		{"ready", http.StatusOK, ""},
		{"not ready", http.StatusServiceUnavailable, "the ledger is away"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/readyz" || r.Host != "localhost" {
					t.Errorf("asked for %s of %s", r.URL, r.Host)
				}
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.reason))
			}))
			defer srv.Close()
			_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			for _, host := range []string{"127.0.0.1:", "0.0.0.0:", ":"} {
				for _, c := range []struct {
					cfg  settings.Config
					role settings.Role
				}{{settings.Config{Listen: host + port}, settings.Role{API: true}}, {settings.Config{MetricsListen: host + port}, settings.Role{Workers: true}}} {
					var out bytes.Buffer
					err := Health{settings.Form{JSON: true}}.Run(t.Context(), c.cfg, settings.Terminal{Role: c.role, Stdout: &out})
					if (err == nil) != (tt.reason == "") || err != nil && !strings.Contains(err.Error(), tt.reason) {
						t.Errorf("%+v: %v", c.role, err)
					}
					var a answer
					if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.Ready != (tt.reason == "") ||
						!strings.Contains(a.Reason, tt.reason) || a.Asked != "http://127.0.0.1:"+port+"/readyz" {
						t.Errorf("%+v printed %s: %v", c.role, &out, err)
					}
				}
			}
		})
	}
}

func TestHealth_NoProcess_Fails(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	listen := srv.Listener.Addr().String()
	srv.Close()
	if err := (Health{}).Run(t.Context(), settings.Config{Listen: listen}, settings.Terminal{Role: settings.Role{API: true}, Stdout: io.Discard}); err == nil {
		t.Error("healthy, with nobody there")
	}
	if err := (Health{}).Run(t.Context(), settings.Config{Listen: listen}, settings.Terminal{Role: settings.Role{Workers: true}, Stdout: io.Discard}); !errors.Is(err, errSilent) {
		t.Errorf("a worker that answers nobody: %v", err)
	}
}

// TestALongerLeaseStopsLater: a longer LEASE also requires a longer time to stop.
func TestALongerLeaseStopsLater(t *testing.T) {
	t.Parallel()
	usual := StopsWithin(settings.Config{Lease: 10 * time.Second}, settings.Role{Workers: true})
	longer := StopsWithin(settings.Config{Lease: 30 * time.Second}, settings.Role{Workers: true})
	if longer-usual != 40*time.Second {
		t.Errorf("%v, and with 20 s more of lease %v", usual, longer)
	}
	patient := StopsWithin(settings.Config{Lease: 10 * time.Second, StopTimeout: time.Minute}, settings.Role{Workers: true})
	if patient != usual+35*time.Second {
		t.Errorf("with STOP_TIMEOUT=1m a worker stops within %v, and within %v without", patient, usual)
	}
	if api := StopsWithin(settings.Config{Drain: time.Second}, settings.Role{API: true}); api != time.Second+stopTimeout {
		t.Errorf("the API: %v", api)
	}
}
