package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestOtherNamesAreRefused: a page of another site cannot reach the API with a host name that
// resolves to this machine.
func TestOtherNamesAreRefused(t *testing.T) {
	t.Parallel()
	s := New(Options{Hosts: []string{"import.example"}})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "127.0.0.1:8080": 200, "[::1]:8080": 200, "::1": 200,
		"import.example": 200, "import.example:443": 200,
		"evil.example": 421, "evil.example:8080": 421, "10.0.0.1": 421, "localhost.evil.example": 421, "": 421,
	} {
		r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
	}
}
