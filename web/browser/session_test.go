//go:build all

package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func init() { stories["refused save"] = testRefusedSave }

// testRefusedSave types a text that the service refuses. The page says so, the cell keeps the text and is
// marked, and Ctrl+Z puts back the saved one. A text in an open editor is saved, and the page asks, before the user
// leaves the page with a key of the browser.
func testRefusedSave(w *window, _ string) {
	w.opensGrid(acneRows(w, 3), 3)
	w.refused = true
	w.at(4, brandOfAcne)
	w.pastes("bad\u0001")
	w.says("Row 4 was not saved: The text holds a control character.")
	w.until(cellAt(4, brandOfAcne) + `.matches(".unsaved") && ` + cellAt(4, brandOfAcne) + `.textContent.endsWith("not saved")`)
	w.until(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
	w.with(chromedp.ModifierCtrl, "z")
	w.until(cellAt(4, brandOfAcne) + `.textContent.startsWith("Acne") && dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
	w.at(4, brandOfAcne)
	w.keys("Acme")
	w.until(`document.querySelector("#grid .editor")?.value === "Acme"`)
	w.until(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
	w.until(cellAt(4, brandOfAcne) + `.textContent === "Acme" && dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
}

const ended = "Your session has ended. Sign in"

// TestSession_EndsWhileAPageIsOpen_PageAsksToSignIn: the page keeps what was typed, and sends it after the
// sign-in in another tab.
func TestSession_EndsWhileAPageIsOpen_PageAsksToSignIn(t *testing.T) {
	t.Parallel()
	program, data := testenv.Binary(t, "./cmd/api"), "DATA_DIR="+t.TempDir()
	url, browser := testenv.StartProcess(t, program, []string{"LISTEN=127.0.0.1:0", data}).URL(), startBrowser(t)
	key := newKey(t, program, data)
	w, other := openWindow(t, browser), openWindow(t, browser)
	w.refused, other.refused = true, true
	in := func(w *window, at string) {
		t.Helper()
		w.do(chromedp.Navigate(url+at), chromedp.SendKeys(chromedp.CSS(`[name="key"]`), key+"\r"))
		w.until(`!document.querySelector('[name="key"]') && location.pathname === "` + at + `"`)
	}
	end := func() {
		t.Helper()
		if _, err := chromedp.Call(w.ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
			t.Fatal(err)
		}
	}
	in(w, "/")
	w.opensGrid(acneRows(w, 3), 3)
	end()
	w.at(4, brandOfAcne)
	w.keys("Stark", kb.Enter)
	w.says(ended)
	w.until(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
	w.until(cellAt(4, brandOfAcne) + `.textContent.startsWith("Stark") && document.querySelector("#ended a").target === "_blank"`)
	in(other, "/")
	w.until(cellAt(4, state) + `.textContent.trim() === "Ready to run" && document.getElementById("ended").hidden`)

	end()
	other.says(ended)
	other.until(`!document.getElementById("fresh").textContent`)
	in(other, "/imports/new")
	end()
	other.choose(acneRows(w, 1))
	other.says(ended)
	other.until(`!document.body.innerText.includes("API key")`)
	other.do(click("#ended a"), chromedp.SendKeys(chromedp.CSS(`[name="key"]`), key+"\r"))
	other.until(`!document.querySelector('[name="key"]') && location.pathname === "/imports/new"`)
}
