//go:build all

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHome_SearchIsTyped_ListFollows types the name of an import: the list follows without a press of Enter, and the
// field keeps the focus. The address is that of the search. This test is no story, because the windows of a browser
// share the language.
func TestHome_SearchIsTyped_ListFollows(t *testing.T) {
	t.Parallel()
	url := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(url))
	w.upload(w.file("needle.csv", "SKU,Name,Price,Brand\nSEARCH-0,Lamp,1,Acme\n"))
	w.until(`document.querySelector("#task")`)
	w.do(chromedp.Navigate(url))
	w.until(`document.querySelector("html.scripted #filters")`)
	w.do(click(`#filters [type=search]`))
	w.keys("n", "e", "e", "d")
	w.until(`location.search === "?q=need" && document.querySelectorAll("#list tbody tr").length === 1`)
	w.says("needle.csv")
	w.keys("x")
	w.says("No imports match.")
	w.until(`document.activeElement.value === "needx"`)
	w.eval(`document.activeElement.value = "need"`) // typed, but not sent yet
	w.do(click(`#look [lang=ru]`))
	w.until(`document.documentElement.lang === "ru" && location.search === "?q=need" &&
		document.querySelector("html.scripted #filters [type=search]").value === "need"`)
	w.do(click(`#look [lang=en]`))
	w.until(`document.documentElement.lang === "en" && location.search === "?q=need"`)
	w.do(click(`#filters [type=search]`))
	w.eval(`{ const field = document.activeElement;
		field.value = "";
		field.dispatchEvent(new Event("input", { bubbles: true })); }`)
	w.until(`location.search === "" && document.querySelectorAll("#list tbody tr").length > 0 && document.querySelector("#views").hidden`)
}
