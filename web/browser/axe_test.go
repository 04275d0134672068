//go:build all

package browser

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rollcall-dev/rollcall/internal/testenv/npm"
)

// hostileFile is a file with a good row and three rows that fail. Its name, headings and cells are
// hostile.
func hostileFile(w *window) string {
	const bad = "<img src=x onerror=hacked=true>"
	return w.file(bad+".csv", "SKU,Name,Price,Brand,Note,"+bad+"\nG,g,1,Acme,,\n"+
		strings.Repeat(strings.Repeat(bad+",", 5)+bad+"\n", 3))
}

// TestEveryPage opens the pages of users with hostile texts. Pages and answers to forms contain no
// markup of these texts, and axe finds no fault in either theme.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	url := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(url))
	w.refused = true // the forms send wrong texts, and one page does not exist
	pages := w.fill(url, hostileFile(w), 3)
	w.judgeEach(url, pages)
	w.fitPhone(url, append(pages, w.fillLong(url)...))
}

// TestEveryOpsPage is like TestEveryPage, for pages of operators. No page is wider than a phone.
func TestEveryOpsPage(t *testing.T) {
	t.Parallel()
	url := serve(t)
	w := openWindow(t, startBrowser(t))
	w.refused = true // the forms send wrong texts
	pages := w.fillOps(url)
	w.judgeEach(url, pages)
	w.fitPhone(url, pages)
}

// fitPhone opens pages on a phone. None of them is wider than its screen.
func (w *window) fitPhone(url string, pages []shot) {
	w.t.Helper()
	w.do(chromedp.EmulateViewport(390, 800))
	for _, p := range pages {
		w.do(chromedp.Navigate(url + p.path))
		switch p.name {
		case "ops-schedules", "ops-ask": // their acts have been done
		case "repair", "repair-many": // no cell is edited on a phone
			w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
		default:
			if p.then != nil {
				p.then(w)
			}
		}
		w.fits(p.name)
		for range value[int](w, `window.menus = [...document.querySelectorAll("main details.menu:not(.controls)")], menus.length`) {
			w.eval(`(window.menu = menus.shift()).open = true`)
			w.fits(p.name + " with an open menu")
			w.eval(`menu.open = false`)
		}
	}
}

// fits waits until the page is no wider than a phone, and names the elements that are wider.
func (w *window) fits(name string) {
	w.t.Helper()
	for range 100 {
		if value[int](w, `document.documentElement.scrollWidth`) <= 390 {
			return
		}
		w.do(chromedp.Sleep(20 * time.Millisecond))
	}
	w.t.Errorf("%s is %d px wide, by %s", name, value[int](w, `document.documentElement.scrollWidth`),
		value[string](w, `[...document.querySelectorAll("main *, header *, footer *")].filter(e => e.getBoundingClientRect().right > 391 && !e.closest(".wide")).slice(0, 5).map(e => e.outerHTML.slice(0, 120)).join("\n  ")`))
}

// judgeEach has axe check pages, and sends hostile texts through their forms.
func (w *window) judgeEach(url string, pages []shot) {
	w.t.Helper()
	axe := axeSource(w.t)
	for _, p := range pages {
		switch p.name {
		case "repair": // repair-many is the same page with fewer rows
			continue
		case "repair-many":
			p.then = editing
		}
		w.do(chromedp.Navigate(url + p.path))
		if p.then != nil {
			p.then(w)
		}
		w.eval(axe + sweep + "; true")
		for _, theme := range []string{"light", "dark"} {
			w.eval(`document.documentElement.dataset.theme = "` + theme + `"`)
			w.judge(p.name+" "+theme, theme == "dark")
		}
		w.found(p.name, "sweep()")
		w.until(`!document.querySelector("img") && !window.hacked`)
	}
}

// sweep enters hostile texts into each form of the page, presses each of its buttons, and returns
// the answers that contain markup of these texts. It omits the form of the first API key, after
// which all requests would need a key.
const sweep = `;
	for (const more of document.querySelectorAll(":is(tbody > tr, li, option, .docs section, .docs details):nth-of-type(n + 4):not(#grid *)")) more.remove();
	const texts = "textarea, input[type=text], input[type=search], input:not([type])";
	window.sweep = async () => {
		const bad = [];
		for (const form of document.querySelectorAll("form:not([action^='/ops/access'])")) {
			const fields = [...form.elements].filter((field) => field.matches(texts) && field.name);
			for (const button of fields.length ? form.querySelectorAll("button:not([type=button])") : []) {
				const data = new URLSearchParams(new FormData(form, button));
				for (const field of fields) data.set(field.name, "<img src=x onerror=hacked=true>");
				const get = form.method === "get";
				const answer = await fetch(get ? form.action + "?" + data : form.action, {
					method: form.method, body: get ? undefined : data, headers: { Accept: "text/html" } });
				const page = new DOMParser().parseFromString(await answer.text(), "text/html");
				if (answer.status >= 500 || page.querySelector("img")) bad.push(form.action + " " + button.value + " " + answer.status);
			}
		}
		return bad.join("\n  ");
	};`

// axeSource returns the code of axe-core, which npm has installed.
func axeSource(t *testing.T) string {
	t.Helper()
	npm.Install(t, ".")
	b, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// judge checks the page with axe, which the page has loaded. If `colours` is true, it checks only contrasts and
// links in texts.
func (w *window) judge(name string, colours bool) {
	w.t.Helper()
	options := `document, { resultTypes: ["violations"], preload: false }`
	if colours {
		options = `"main", { resultTypes: ["violations"], preload: false, runOnly: ["color-contrast", "link-in-text-block"] }`
	}
	w.found(name, `axe.run(`+options+`).then((r) => r.violations.map((v) =>
		v.id + ": " + v.help + "\n    " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join("\n    ")).join("\n  "))`)
}

// found waits for a promise, and fails the test with its result, unless the result is empty.
func (w *window) found(name, promise string) {
	w.t.Helper()
	w.eval(`window.told = undefined; ` + promise + `.then((told) => (window.told = told), (e) => (window.told = String(e))); true`)
	w.until("window.told !== undefined")
	violations, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("window.told"))
	if err != nil || strings.TrimSpace(violations) != "" {
		w.t.Errorf("%s: %v\n  %s", name, err, violations)
	}
}
