//go:build all

package typescript

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestClient_PostgresBreaksRequestsOff_CarriesOn: Postgres terminates the connection of each request,
// and the service responds with 503. The retry succeeds.
func TestClient_PostgresBreaksRequestsOff_CarriesOn(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "fault.mjs")
	compile(t, "fault.ts", script)
	ledger := ledgers.Postgres(t)
	api := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"), []string{
		"LISTEN=127.0.0.1:0", "DATA_DIR=data", "BLOB_URL=file://" + t.TempDir(), "DATABASE_URL=" + ledger,
		"REDIS_URL=" + testenv.StartRedis(t).URL(),
	})
	id := ""
	for _, act := range []string{"create", "get", "close"} {
		var out []byte
		ended := make(chan error, 1)
		ledgers.Strike(t, ledger, "tasks", "pg_terminate_backend", func(done func()) {
			story := exec.CommandContext(t.Context(), node(t), script, unavailable(t, api.URL(), done), act, id)
			var err error
			out, err = story.CombinedOutput()
			ended <- err
		})
		err := <-ended
		got := strings.TrimSpace(string(out))
		if err != nil || id != "" && got != id {
			t.Fatalf("%s: %v, %s", act, err, out)
		}
		id = got
	}
}

// unavailable is a proxy to the service. It calls the function `seen` after a response with status 503.
func unavailable(t *testing.T, service string, seen func()) string {
	to, err := url.Parse(service)
	if err != nil {
		t.Error(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	proxy.ModifyResponse = func(res *http.Response) error {
		if res.StatusCode == http.StatusServiceUnavailable {
			seen()
		}
		return nil
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL
}
