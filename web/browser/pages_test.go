//go:build all

package browser

import (
	"fmt"
	"path/filepath"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shot is a page, and what is done on it before the picture is taken.
type shot struct {
	name, path string
	then       func(*window)
}

// fill imports the sample, and a file with so many bad rows, so that each page has
// something to show.
func (w *window) fill(url, bad string, rows int) []shot {
	w.t.Helper()
	at := func() string {
		path, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.pathname + location.search"))
		if err != nil {
			w.t.Fatal(err)
		}
		return path
	}
	sample, err := filepath.Abs("../../testdata/products.xlsx")
	if err != nil {
		w.t.Fatal(err)
	}
	w.upload(sample)
	w.says("Finished, 20 rows need correction")
	done := at()
	w.do(chromedp.Navigate(url))
	w.upload(bad)
	w.says(fmt.Sprintf("%d rows need correction", rows))
	many := at()
	w.do(chromedp.Navigate(url))
	w.choose(sample)
	w.do(chromedp.Click(chromedp.CSS(`button[formaction="/imports/check"]`)))
	w.says("How the file is read")
	check := at()
	return []shot{
		{"home", "/", nil},
		{"task", done, nil},
		{"repair", done + "/repair", editing},
		{"repair-many", many + "/repair", nil},
		{"bulk", many + "/repair", asking},
		{"row", done + "/rows/34", nil},
		{"check", check, nil},
		{"exports", "/exports", nil},
		{"export", w.exported(url), nil},
		{"sign-in", "/sign-in", nil},
		{"not-found", "/nothing", nil},
		{"docs", "/docs", nil},
	}
}

// exported has a file made, and returns where its task is.
func (w *window) exported(url string) string {
	w.t.Helper()
	w.do(chromedp.Navigate(url+"/exports?kind=promos.export"), chromedp.Click(chromedp.CSS("button[type=submit]")))
	w.until(`document.querySelector(".downloads a")`)
	path, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.pathname"))
	if err != nil {
		w.t.Fatal(err)
	}
	return path
}

// editing opens a cell of the grid.
func editing(w *window) {
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.eval(`document.querySelector("#grid [aria-invalid]").dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }))`)
	w.keys(kb.F2)
}

// asking has the page ask about many rows.
func asking(w *window) {
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.eval(`document.querySelectorAll("#bulk details")[0].open = true; document.getElementById("of").value = "Price";
		document.getElementById("value").value = "12.50"; document.querySelector("#bulk [value=set]").click()`)
	w.says("Change ")
}
