package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// patience bounds one step. It is long, because a machine may be busy.
const patience = 90 * time.Second

// mostPause is the longest pause between two looks at a page. Each look takes a millisecond of processor time from
// the page and the service.
const mostPause = 100 * time.Millisecond

// window is one tab.
type window struct {
	t       *testing.T
	browser context.Context
	ctx     context.Context // of the tab

	refused bool // failed requests on the console do not fail the test
}

// startBrowser starts a browser, which ends with the test, and returns the context in which its
// tabs are opened.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	flags := slices.Concat(chromedp.DefaultExecAllocatorOptions[:], []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	})
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("end the browser: %v", err)
		}
	})
	return ctx
}

// openWindow opens a tab. The test fails if a page logs an error to its console, for example when
// the content security policy refuses something.
func openWindow(t *testing.T, browser context.Context) *window {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	w := &window{t: t, browser: browser, ctx: ctx}
	w.refuseDialogs(cancel)
	messages := chromedp.Console(ctx)
	t.Cleanup(func() {
		// All that the page has logged so far is in the queue.
		w.eval(`console.log("the end")`)
		for m, err := range messages {
			if err != nil {
				t.Errorf("listen to the console: %v", err)
			}
			if err != nil || m.Text == "the end" {
				return
			}
			if !w.refused || m.Source != "network" {
				t.Errorf("the page complains: %s", m)
			}
		}
	})
	return w
}

// refuseDialogs fails the test if the browser opens a dialog, and accepts the dialog. The page would otherwise answer no
// further step. The browser opens one if a story leaves the grid before an edit is saved.
func (w *window) refuseDialogs(cancel context.CancelFunc) {
	dialogs, done := chromedp.Events(w.ctx, page.JavascriptDialogOpening), make(chan struct{})
	go func() {
		defer close(done)
		for dialog, err := range dialogs {
			if err != nil {
				return // the tab is closed
			}
			w.t.Errorf("the browser opens a dialog of type %s on %s %s: does the story leave the page before an edit is saved?", dialog.Type, dialog.URL, dialog.Message)
			_, _ = chromedp.Call(w.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}) // the test has failed already
		}
	}()
	w.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// comeForward gives the window the focus. Chromium does not focus other windows by itself.
func (w *window) comeForward() {
	w.t.Helper()
	_, err := chromedp.Call(w.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	if err != nil {
		w.t.Fatal(err)
	}
}

// chromium returns the path of the browser.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium here; install the Debian package chromium, or run make provision")
	return ""
}

// do runs steps, each within patience.
func (w *window) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	for i, step := range steps {
		ctx, cancel := context.WithTimeout(w.ctx, patience)
		err := chromedp.Do(ctx, step)
		cancel()
		if err != nil {
			w.t.Fatalf("step %d: %v; the page says:\n%s", i, err, w.words())
		}
	}
}

// evaluate returns the value of an expression of the page, within patience.
func evaluate[T any](w *window, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression))
}

// eval runs script in the page.
func (w *window) eval(script string) {
	w.t.Helper()
	if _, err := evaluate[any](w, script); err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
}

// value returns the value of an expression of the page.
func value[T any](w *window, expression string) T {
	w.t.Helper()
	v, err := evaluate[T](w, expression)
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression is true on the current page, or on the next one if the page changes. It counts
// the expression as false while a page is loading.
func (w *window) until(expression string) {
	w.t.Helper()
	pause := 10 * time.Millisecond
	for end := time.Now().Add(patience); time.Now().Before(end); pause = min(pause*5/4, mostPause) {
		// The page may be loading the next one. Look again.
		ok, err := evaluate[bool](w, "document.readyState !== 'loading' && Boolean("+expression+")")
		if err == nil && ok {
			return
		}
		time.Sleep(pause)
	}
	w.t.Fatalf("%s: not within %v; the page says:\n%s", expression, patience, w.words())
}

// says waits until the page shows a text.
func (w *window) says(text string) {
	w.t.Helper()
	w.until(`document.body.innerText.replace(/\s+/g, " ").includes("` + text + `")`)
}

func (w *window) words() string {
	text, err := evaluate[string](w, "document.body.innerText")
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(text)
}

// file writes a file into a folder of the test and returns its path.
func (w *window) file(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// upload imports a file whose columns are known: it chooses the file, checks it and starts the
// import.
func (w *window) upload(path string) {
	w.t.Helper()
	w.choose(path)
	w.until(`location.pathname.endsWith("/check")`)
	w.do(click(`button[value="start"]`))
}

// choose sends a file of products, which leads to the next step. It names the kind, because the
// program may have other kinds, one of which may be the default of the form.
func (w *window) choose(path string) {
	w.t.Helper()
	w.eval(`document.getElementById("upload") || location.assign(document.querySelector("a.brand").href + "imports/new")`)
	w.until(`document.querySelector("html.scripted #upload")`)
	w.eval(`{ const kind = document.getElementById("kind"); kind.value = "products.import";
		kind.dispatchEvent(new Event("change", { bubbles: true })); }`)
	w.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{path}))
}

// productsQueue selects the row of the queue of products on the page of all queues.
const productsQueue = `document.querySelector('#queues tr:has(a[href$="/products.import"])')`

// download clicks a link and returns the name under which the browser saved
// the file in dir.
func (w *window) download(dir, link string) string {
	w.t.Helper()
	events := true
	_, err := chromedp.CallBrowser(w.ctx, cdpbrowser.SetDownloadBehavior,
		cdpbrowser.SetDownloadBehaviorParams{
			Behavior:     cdpbrowser.SetDownloadBehaviorBehaviorAllow,
			DownloadPath: dir, EventsEnabled: &events,
		})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	begun := chromedp.BrowserEvents(ctx, cdpbrowser.DownloadWillBegin)
	moved := chromedp.BrowserEvents(ctx, cdpbrowser.DownloadProgress)
	w.eval(link + ".click()")
	name := ""
	for e, err := range begun {
		if err != nil {
			w.t.Fatal(err)
		}
		name = e.SuggestedFilename
		break
	}
	for e, err := range moved {
		if err != nil {
			w.t.Fatal(err)
		}
		if e.State != cdpbrowser.DownloadProgressStateInProgress {
			break
		}
	}
	return name
}

// offline cuts the page off from the network, or connects it again.
func (w *window) offline(on bool) {
	w.t.Helper()
	_, err := chromedp.Call(w.ctx, network.EmulateNetworkConditionsByRule,
		network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{
			{Offline: on, DownloadThroughput: -1, UploadThroughput: -1},
		}})
	if err == nil {
		_, err = chromedp.Call(w.ctx, network.OverrideNetworkState,
			network.OverrideNetworkStateParams{Offline: on, DownloadThroughput: -1, UploadThroughput: -1})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// keys presses keys, one after another, wherever the focus is.
func (w *window) keys(keys ...string) {
	w.t.Helper()
	for _, key := range keys {
		w.do(chromedp.KeyEvent(key))
	}
}

// click returns the action that clicks the first element of a selector. It tries again if the page
// has drawn the element anew meanwhile.
func click(selector string) chromedp.Action[chromedp.Void] {
	once := chromedp.Click(chromedp.CSS(selector))
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for {
			out, err := once(ctx, t)
			if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "(-32000)") {
				return out, err
			}
		}
	}
}

// press clicks the first element of a selector in one step of the page, which may draw it anew at
// any time.
func (w *window) press(selector string) {
	w.t.Helper()
	w.until(fmt.Sprintf("(e => e && (e.click(), true))(document.querySelector(%q))", selector))
}
