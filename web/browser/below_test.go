//go:build all

package browser

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestPages_BelowAPath_WorkAsOnAHostOfTheirOwn runs the stories behind nginx, which serves the
// pages below /rollcall and answers 404 to all other paths. A page that requests another path fails
// the test.
func TestPages_BelowAPath_WorkAsOnAHostOfTheirOwn(t *testing.T) {
	t.Parallel()
	program, data := testenv.Binary(t, "./cmd/api"), "DATA_DIR="+t.TempDir()
	api := testenv.StartProcess(t, program, []string{"LISTEN=127.0.0.1:0", data, "TRUSTED_PROXIES=127.0.0.1"})
	front := testenv.StartNginxBelow(t, "/rollcall", strings.TrimPrefix(api.URL(), "http://"))
	url, browser := front.URL()+"/rollcall", startBrowser(t)
	signIn(openWindow(t, browser), url, newKey(t, program, data))
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openWindow(t, browser)
			w.do(chromedp.Navigate(url + "/"))
			story(w, url)
		})
	}
}

// newKey creates an API key of an administrator on the machine of the service.
func newKey(t *testing.T, program, data string) string {
	t.Helper()
	create := exec.CommandContext(t.Context(), program, "keys", "create", "--name", "browser", "--role", "admin")
	create.Env = append(create.Environ(), data)
	out, err := create.Output()
	if err != nil {
		t.Fatalf("keys create: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// signIn exchanges a key for the session of a browser, and returns to the pages.
func signIn(w *window, url, key string) {
	w.do(
		chromedp.Navigate(url+"/sign-in"),
		chromedp.SendKeys(chromedp.CSS(`[name="key"]`), key+"\r"),
	)
	w.until(`document.querySelector(".tabs") && location.pathname === "/rollcall/"`)
}
