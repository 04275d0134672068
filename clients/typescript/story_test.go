//go:build all

package typescript

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/npm"
)

// TestStory runs story.ts under Node against the whole service.
func TestStory(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "story.mjs")
	compile(t, "story.ts", script)
	service := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"),
		[]string{"LISTEN=127.0.0.1:0", "DATA_DIR=data"}).URL()
	file, err := filepath.Abs("../../testdata/products.xlsx")
	fine(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var said, warned bytes.Buffer
	story := exec.CommandContext(ctx, node(t), script, service, flaky(t, service), file)
	story.Stdout, story.Stderr = &said, &warned
	if err := story.Run(); err != nil || said.String() != "told\n" {
		t.Errorf("%v; it said:\n%s%s", err, said.String(), warned.String())
	}
}

// compile makes one JavaScript file for old versions of Node, with the esbuild of tools/npm.
func compile(t *testing.T, from, to string) {
	t.Helper()
	const tools = "../../tools/npm"
	npm.Install(t, tools)
	build := exec.CommandContext(t.Context(), filepath.Join(tools, "node_modules", ".bin", "esbuild"), from, "--bundle",
		"--outfile="+to, "--format=esm", "--platform=node", "--target=es2022", "--log-level=warning")
	if out, err := build.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("esbuild: %v\n%s", err, out)
	}
}

func node(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"node", "nodejs"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Node here; install the Debian package nodejs, or run make provision")
	return ""
}

// flaky is a proxy to the service that refuses every second request.
func flaky(t *testing.T, service string) string {
	t.Helper()
	to, err := url.Parse(service)
	fine(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%2 == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
