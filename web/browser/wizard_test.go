//go:build all

package browser

import (
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// testWizardByKeys sends a file, matches a heading, checks and imports with the keyboard alone,
// except for the choice of the file, which belongs to the system. The next time, the same headings
// are matched.
func testWizardByKeys(w *window, _ string) {
	text := "SKU,Titel,Preis,Brand\nK1,eins,1.5,Acme\nK2,zwei,2.5,Acme\n"
	file := w.file("german.csv", text)
	w.choose(file)
	w.says("Name is required and not matched.")
	w.says("By its values") // of the price
	w.until(`document.querySelector('button[value="next"]').disabled`)
	w.tabTo(`select[name="map:Titel"]`)
	w.keys("N")
	w.until(`document.activeElement.value === "Name" && !document.querySelector("#missing .msg")`)
	w.tabTo(`button[value="next"]`)
	w.keys(kb.Enter)
	w.says("2 rows in the file")
	w.tabTo(`button[value="start"]`)
	w.keys(kb.Enter)
	w.until(`location.pathname.includes("/tasks/")`)
	w.says("Finished")
	w.says("german.csv")
	w.choose(file)
	w.until(`location.pathname.endsWith("/check")`)
	w.tabTo(`.under a.button`)
	w.keys(kb.Enter)
	w.says("Same as last time")
}

// testCountedActions imports a file whose columns are known in three actions: new import, the file,
// and the start. A file is sent once, and read when its next step is shown.
func testCountedActions(w *window, url string) {
	file := w.file("known.csv", "SKU,Name,Price\nK1,one,1.5\n")
	w.do(chromedp.Navigate(url), click(`a.new`))
	w.until(`document.querySelector("html.scripted #upload")`)
	w.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{file}))
	w.do(click(`button[value="start"]`))
	w.until(`document.querySelector("#task")`)
	w.says("known.csv")
}

// testUploadGoesOn disconnects the page while it sends a file of 20 MB. The upload continues by itself, and
// sends each part that had arrived only once.
func testUploadGoesOn(w *window, _ string) {
	text := "SKU,Name,Price\nL1," + strings.Repeat("x", 200) + ",1\n"
	text += strings.Repeat("L2,"+strings.Repeat("y", 1000)+",1\n", 20<<10)
	file := w.file("long.csv", text)
	w.refused = true
	w.eval(`document.getElementById("upload") || location.assign(document.querySelector("a.brand").href + "imports/new")`)
	w.until(`document.querySelector("html.scripted #upload")`)
	w.eval(`window.parts = []; { const open = XMLHttpRequest.prototype.open, send = XMLHttpRequest.prototype.send;
		XMLHttpRequest.prototype.open = function (method, ...rest) { this.verb = method; return open.call(this, method, ...rest); };
		XMLHttpRequest.prototype.send = function (body) {
			this.addEventListener("load", () => this.verb === "PATCH" && this.status === 204 && localStorage.setItem("parts", Number(localStorage.getItem("parts")) + 1));
			if (this.verb === "PATCH") window.parts.push(body.size);
			return send.call(this, body); }; } localStorage.setItem("parts", 0)`)
	w.eval(`window.cut = setInterval(() => { if (window.parts.length === 2) { clearInterval(window.cut); window.cutting = true; } }, 1)`)
	w.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{file}))
	w.until("window.cutting")
	w.offline(true)
	w.says("The upload resumes automatically.")
	w.offline(false)
	w.until(`location.pathname.endsWith("/check")`)
	w.until(`localStorage.getItem("parts") === "3"`)
	w.says("20,481 rows in the file")
}

// tabTo presses Tab until the focus is on an element of a selector.
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

// testViewer creates a key of a viewer, and opens pages with it: they have no buttons, and the
// pages of operators say why they are closed.
func testViewer(w *window, url string) {
	w.do(chromedp.Navigate(url + "/ops/access"))
	w.eval(`document.querySelector("[name=name]").value = "till"; document.querySelector("[name=role]").value = "viewer"`)
	w.do(click("main form:has([name=role]) button"), chromedp.WaitVisible(chromedp.CSS("code.secret")))
	secret, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`document.querySelector("code.secret").textContent`))
	if err != nil {
		w.t.Fatal(err)
	}
	w.refused = true
	w.do(chromedp.Navigate(url))
	w.until(`document.activeElement.id === "key"`)
	w.keys(append(strings.Split(secret, ""), kb.Enter)...)
	w.until(`document.querySelector(".imports") && !document.querySelector('a[href="/imports/new"], header a[href="/ops"]')`)
	w.do(click(".imports th a"))
	w.until(`document.querySelector("#task .status")`)
	w.until(`!document.querySelector(".controls, .correct, a.primary")`)
	w.do(chromedp.Navigate(url + "/ops"))
	w.says("Your role, viewer, cannot open Operations. Ask an administrator of your tenant for the role operator.")
	w.until(`!document.querySelector('a[href^="/ops"]')`)
}

// testCheckBreaksNoWord checks a file with many columns. The column of faults has free width, so each value except
// the description stands in one line.
func testCheckBreaksNoWord(w *window, _ string) {
	w.choose(w.file("wide.csv", "SKU,Name,Price,Stock,Brand,Launched,Description of the product\n"+
		"W1,\"Umbrella pen, blue\",no,1,Umbrella,2026-03-31,A long text about the pen with its ink and its three colours and the box in which it is sold\nW2,,1 EUR,x,Umbrella,2026-03-31,x\n"))
	w.until(`document.querySelector(".prev") || document.querySelector('button[value="next"]:not(:disabled)')`)
	w.eval(`document.querySelector('button[value="next"]')?.click()`)
	w.until(`document.querySelectorAll(".prev tbody bdi").length > 10`)
	w.until(`[...document.querySelectorAll(".prev td:nth-child(-n + 7) bdi")].every((text) => text.offsetHeight < 30)`)
	w.until(`document.querySelector(".prev").offsetWidth <= document.querySelector(".prev").parentElement.clientWidth`)
}
