//go:build all

package e2e

import (
	"bytes"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// keysCommand runs "api keys …" beside a service on a data folder, and returns its output.
func keysCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), testenv.Binary(t, "./cmd/api"), append([]string{"keys"}, args...)...)
	cmd.Env = append(cmd.Environ(), "DATA_DIR="+dir)
	var out, notes bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &notes
	if err := cmd.Run(); err != nil {
		t.Fatalf("api keys %v: %v\n%s", args, err, notes.String())
	}
	return strings.TrimSpace(out.String())
}

// answers waits until a request with a key is answered with a status.
func answers(t *testing.T, url, key string, want int) {
	t.Helper()
	end := time.Now().Add(time.Minute)
	for {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/api/v1/tasks", nil)
		if err != nil {
			t.Fatal(err)
		}
		if key != "" {
			req.Header.Set("Authorization", "Bearer "+key)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if res.StatusCode == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("answered %d, want %d", res.StatusCode, want)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestKeysOfARunningService creates, rotates and revokes keys with a command in another process. The
// service accepts and rejects them accordingly.
func TestKeysOfARunningService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := embedded(t, dir)
	answers(t, p.URL(), "", http.StatusOK)
	first := keysCommand(t, dir, "create", "--name=first")
	answers(t, p.URL(), "", http.StatusUnauthorized)
	answers(t, p.URL(), first, http.StatusOK)
	id, _, _ := strings.Cut(strings.Split(keysCommand(t, dir, "list"), "\n")[1], " ")
	second := keysCommand(t, dir, "rotate", id, "--grace=0s")
	answers(t, p.URL(), first, http.StatusUnauthorized)
	answers(t, p.URL(), second, http.StatusOK)
	keysCommand(t, dir, "revoke", id)
	answers(t, p.URL(), second, http.StatusUnauthorized)
	answers(t, p.URL(), "", http.StatusUnauthorized)
	if log := p.Stderr(); strings.Contains(log, first) || strings.Contains(log, second) {
		t.Errorf("a secret was logged:\n%s", log)
	}
}
