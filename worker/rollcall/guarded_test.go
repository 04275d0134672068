package rollcall_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

// TestHandler_RequestFromElsewhereWithoutKeys_NeedsGuarded: a program that listens on other
// addresses and does not check requests itself accepts only callers of its machine, whatever host
// they name.
func TestHandler_RequestFromElsewhereWithoutKeys_NeedsGuarded(t *testing.T) {
	t.Parallel()
	for guarded, want := range map[bool]int{false: http.StatusUnauthorized, true: http.StatusOK} {
		s, err := rollcall.New(t.Context(), rollcall.Options{Kinds: worker.NewRegistry(), DataDir: t.TempDir(), Guarded: guarded})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		for peer, status := range map[string]int{"192.0.2.9:4000": want, "127.0.0.1:4000": http.StatusOK} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/v1/tasks", nil)
			r.RemoteAddr = peer
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != status {
				t.Errorf("guarded %v, from %s: %d, want %d: %s", guarded, peer, w.Code, status, w.Body)
			}
		}
	}
}

func TestNew_HostsOfThisMachineWithoutKeys_NeedNoGuarded(t *testing.T) {
	t.Parallel()
	for hosts, local := range map[string]bool{
		"localhost": true, "localhost:8080": true, "127.0.0.1:80,[::1]:80": true, "[::1]": true, "::1": true,
		"LOCALHOST": true, "localhost.:8080": true, "App.Localhost": true, "app.localhost.": true, "notlocalhost": false, "localhost..": false,
		"localhost.example:80": false, "[2001:db8::1]": false, "192.0.2.9:80": false,
	} {
		s, err := rollcall.New(t.Context(), rollcall.Options{
			Kinds: worker.NewRegistry(), DataDir: t.TempDir(),
			Settings: map[string]string{"HOSTS": hosts, "PUBLIC_URL": "http://127.0.0.1:8080"},
		})
		if (err == nil) != local || !local && !errors.Is(err, rollcall.ErrOpen) {
			t.Errorf("HOSTS=%s: %v", hosts, err)
		}
		if err != nil {
			continue
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
