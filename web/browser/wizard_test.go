//go:build all

package browser

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// testWizardByKeys has a file checked, told which heading is which column, and
// imported, with the keyboard alone, but for the choice of the file, which is the
// system's.
func testWizardByKeys(w *window, _ string) {
	file := filepath.Join(w.t.TempDir(), "german.csv")
	text := "SKU,Titel,Price,Brand\nK1,eins,1,Acme\nK2,zwei,2,Acme\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.choose(file)
	w.tabTo(`button[formaction$="/imports/check"]`)
	w.keys(kb.Enter)
	w.until(`location.pathname.endsWith("/imports/check")`)
	w.until(`!document.querySelector('button[value="start"]')`) // the name is missing
	w.tabTo(`select[name="map:Titel"]`)
	w.keys("N")
	w.until(`document.activeElement.value === "Name"`)
	w.tabTo(`button[value="check"]`)
	w.keys(kb.Enter)
	w.says("2 rows")
	w.tabTo(`button[value="start"]`)
	w.keys(kb.Enter)
	w.until(`location.pathname.includes("/tasks/")`)
	w.says("Finished")
	w.says("german.csv")
}

// tabTo presses Tab until the focus is on what a selector names.
func (w *window) tabTo(selector string) {
	w.t.Helper()
	w.do(chromedp.WaitVisible(chromedp.CSS(selector)))
	for range 60 {
		on, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool]("document.activeElement.matches(`"+selector+"`)"))
		if err != nil {
			w.t.Fatal(err)
		}
		if on {
			return
		}
		w.keys(kb.Tab)
	}
	w.t.Fatalf("60 presses of Tab do not lead to %s", selector)
}

// testViewer gives out a key of a viewer, and looks around with it: there is nothing
// to press, and the operators' pages say why they are closed.
func testViewer(w *window, url string) {
	w.do(chromedp.Navigate(url + "/ops/access"))
	w.eval(`document.querySelector("[name=name]").value = "till"; document.querySelector("[name=role]").value = "viewer"`)
	w.do(chromedp.Click(chromedp.CSS("main form:has([name=role]) button")), chromedp.WaitVisible(chromedp.CSS("code.secret")))
	secret, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`document.querySelector("code.secret").textContent`))
	if err != nil {
		w.t.Fatal(err)
	}
	w.refused = true
	w.do(chromedp.Navigate(url))
	w.until(`document.activeElement.id === "key"`)
	w.keys(append(strings.Split(secret, ""), kb.Enter)...)
	w.until(`document.querySelector(".imports") && !document.querySelector('a[href="/imports/new"], header a[href="/ops"]')`)
	w.do(chromedp.Click(chromedp.CSS(".imports th a")))
	w.until(`document.querySelector("#task .status")`)
	w.until(`!document.querySelector(".turns, .correct, a.primary")`)
	w.do(chromedp.Navigate(url + "/ops"))
	w.says("This request needs the scope ops:read, which the role viewer does not have.")
	w.until(`!document.querySelector('a[href^="/ops"]')`)
}
