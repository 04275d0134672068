//go:build all

package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rollcall-dev/rollcall/client"
)

// streamPage is a page of another site with the browser's own EventSource. It sends each
// received event to the test.
type streamPage struct {
	proxy *httputil.ReverseProxy

	mu       sync.Mutex
	received []string
	streams  []int // the status of each response
}

const listening = `<!doctype html><title>Ear</title><link rel="icon" href="data:,"><script>
const say = (what) => fetch("/heard", { method: "POST", body: what });
const source = new EventSource("/api/v1/tasks/%s/stream");
for (const name of ["progress", "done"]) source.addEventListener(name, (e) => {
  const task = JSON.parse(e.data);
  say(name + " " + task.counts.total + " " + (e.lastEventId === String(task.version)));
});
source.onerror = () => say(source.readyState === EventSource.CLOSED ? "closed" : "again");
</script>`

func newStreamPage(t *testing.T, service string) (*streamPage, string) {
	t.Helper()
	to, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	e := &streamPage{proxy: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}}
	e.proxy.ModifyResponse = func(res *http.Response) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.streams = append(e.streams, res.StatusCode)
		return nil
	}
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	return e, s.URL
}

func (e *streamPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/heard":
		what, _ := io.ReadAll(r.Body) // without the text, the test fails
		e.mu.Lock()
		e.received = append(e.received, string(what))
		e.mu.Unlock()
	case strings.HasPrefix(r.URL.Path, "/listen/"):
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, listening, strings.TrimPrefix(r.URL.Path, "/listen/")) // without the page, the test fails
	case strings.HasPrefix(r.URL.Path, "/api/"):
		e.proxy.ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

// awaitReceived waits until the page has received a text.
func (e *streamPage) awaitReceived(t *testing.T, what string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(3 * patience); time.Now().Before(end); <-tick.C {
		e.mu.Lock()
		ok := slices.Contains(e.received, what)
		e.mu.Unlock()
		if ok {
			return
		}
	}
	t.Fatalf("it heard %q, not %q", e.received, what)
}

// TestEventSource has two browsers receive the stream of a task until its end. Both reconnect once,
// as browsers do, and are told to stop.
func TestEventSource(t *testing.T) {
	t.Parallel()
	service := serve(t)
	for name, open := range map[string]func(*testing.T, string){
		"chromium": func(t *testing.T, address string) {
			openWindow(t, startBrowser(t)).do(chromedp.Navigate(address))
		},
		"firefox": startFirefox,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, address := newStreamPage(t, service)
			rollcall := dial(t, service)
			task, err := rollcall.Create(t.Context(), client.Batch{Kind: "products.import", Open: true})
			if err != nil {
				t.Fatal(err)
			}
			open(t, address+"/listen/"+task.ID)
			e.awaitReceived(t, "progress 0 true")
			row := map[string]any{"SKU": "A", "Name": "a", "Price": 1, "Brand": "Acme"}
			if _, err := rollcall.Append(t.Context(), task.ID, []any{row}); err != nil {
				t.Fatal(err)
			}
			e.awaitReceived(t, "progress 1 true")
			if _, err := rollcall.Close(t.Context(), task.ID); err != nil {
				t.Fatal(err)
			}
			e.awaitReceived(t, "done 1 true")
			e.awaitReceived(t, "closed")
			e.mu.Lock()
			defer e.mu.Unlock()
			if want := []int{http.StatusOK, http.StatusNoContent}; !slices.Equal(e.streams, want) {
				t.Errorf("its streams were answered %v, want %v", e.streams, want)
			}
		})
	}
}

// startFirefox opens a page in a Firefox of its own, which ends with the test.
func startFirefox(t *testing.T, address string) {
	t.Helper()
	profile := t.TempDir()
	quiet := `user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
`
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(quiet), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(firefox(t), "--headless", "--no-remote", "--profile", profile, address)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // kills its children, too; it may have ended
		_ = cmd.Wait()                                      // killed
	})
}

func firefox(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Firefox here; install the Debian package firefox-esr, or run make provision")
	return ""
}
