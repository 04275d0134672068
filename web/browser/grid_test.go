//go:build all

package browser

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestGrid_FirstRows_MakeNoNumberFormatter: a formatter of numbers takes a third of the time until the first rows
// are drawn. Numbers below 1,000 are written without one.
func TestGrid_FirstRows_MakeNoNumberFormatter(t *testing.T) {
	t.Parallel()
	service := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(service))
	w.upload(badRows(w))
	w.says("300 rows need a correction")
	task := value[string](w, "location.pathname")
	const counting = `{ window.made = 0; const made = Intl.NumberFormat;
		Intl.NumberFormat = new Proxy(made, { construct: (to, args) => (window.made++, new to(...args)) }); }`
	_, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: counting})
	if err != nil {
		t.Fatal(err)
	}
	w.do(chromedp.Navigate(service + task + "/repair"))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	if made := value[int](w, "made"); made > 0 {
		t.Errorf("the grid of 300 rows has made %d formatters of numbers", made)
	}
	w.eval(`new Intl.NumberFormat("en")`)
	if made := value[int](w, "made"); made != 1 {
		t.Errorf("%d formatters are counted, want 1", made)
	}
}

// TestPages_TimesOnHover_MakeTheFormatterOfDates: opening a page does not create the formatter, because this takes
// as long as the rest of the script.
func TestPages_TimesOnHover_MakeTheFormatterOfDates(t *testing.T) {
	t.Parallel()
	service := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(service))
	w.upload(badRows(w))
	w.says("300 rows need a correction")
	task := value[string](w, "location.pathname")
	const counting = `{ window.made = 0; const made = Intl.DateTimeFormat;
		Intl.DateTimeFormat = new Proxy(made, { construct: (to, args) => (window.made++, new to(...args)) }); }`
	_, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: counting})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", task} {
		w.do(chromedp.Navigate(service + path))
		w.until(`[...document.querySelectorAll("time[data-ago]")].some(time => time.textContent.includes("ago"))`)
		if made := value[int](w, "made"); made > 0 {
			t.Errorf("%s has made %d formatters of dates", path, made)
		}
		w.eval(`window.when = document.querySelector("time[data-ago]"); when.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`)
		w.until(`made === 1 && when.title.includes(String(new Date(when.dateTime).getFullYear())) && !when.title.includes("UTC")`)
	}
}
