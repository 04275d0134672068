//go:build all

package browser

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shot is a page, with the acts before the picture is taken.
type shot struct {
	name, path string
	then       func(*window)
}

// fill imports the sample, and a file with a number of bad rows, so that no page is empty.
func (w *window) fill(url, bad string, rows int) []shot {
	w.t.Helper()
	at := func() string { return value[string](w, "location.pathname + location.search") }
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
	w.says("What needs a correction")
	check := at()
	text := "Sku no;Product name;VK netto;Brnd;Qty;Valid from;Colour\nA1;Lamp;332,81;Acme;421;2025-02-02;red\nA2;Anvil;582,88;Globex;90;2024-08-21;blue\n"
	fuzzy := w.file("fuzzy.csv", text)
	w.choose(fuzzy)
	w.says("Match the columns")
	columns := at()
	return []shot{
		{"home", "/", nil},
		{"task", done, nil},
		{"repair", done + "/repair", editing},
		{"repair-many", many + "/repair", nil},
		{"bulk", many + "/repair", asking},
		{"row", done + "/rows/34", nil},
		{"new-import", "/imports/new", nil},
		{"columns", columns, nil},
		{"columns-reading", columns, func(w *window) { w.eval(`document.getElementById("reading").open = true`) }},
		{"check", check, nil},
		{"mappings", "/imports/mappings", nil},
		{"home-filtered", "/?tab=correct&q=products", nil},
		{"home-none", "/?q=nothing+like+it", nil},
		{"home-view", "/?tab=correct&q=products", saving},
		{"exports", "/exports", nil},
		{"export", w.exported(url), nil},
		{"sign-in", "/sign-in", nil},
		{"not-found", "/nothing", nil},
		{"docs", "/docs", nil},
	}
}

// fillLong imports a file whose name, headings and cells are long words without a space.
func (w *window) fillLong(url string) []shot {
	w.t.Helper()
	word := strings.Repeat("Long", 30)
	text := "SKU,Name,Price,Brand," + word + "\nL1," + word + ",1," + word + "," + word + "\nL2," + word + ",no,Acme," + word + "\n"
	file := w.file(word+".csv", text)
	w.do(chromedp.Navigate(url))
	w.choose(file)
	w.until(`/\/(check|columns)$/.test(location.pathname)`)
	check := value[string](w, "location.pathname")
	w.do(chromedp.Navigate(url))
	w.upload(file)
	w.says("2 rows need a correction")
	task := value[string](w, "location.pathname")
	return []shot{
		{"long home", "/", nil},
		{"long check", check, nil},
		{"long task", task, nil},
		{"repair-many", task + "/repair", nil},
		{"long row", task + "/rows/1", nil},
		{"long columns", strings.TrimSuffix(check, "/check"), nil},
		{"upload", "/imports", nil},
		{"bulk", task + "/repair", asking},
	}
}

// exported creates an export, and returns the path of its task.
func (w *window) exported(url string) string {
	w.t.Helper()
	w.do(chromedp.Navigate(url+"/exports?kind=promos.export"), click("button[type=submit]"))
	w.until(`document.querySelector("#task a[download]")`)
	return value[string](w, "location.pathname")
}

// editing opens a cell of the grid.
func editing(w *window) {
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.eval(`document.querySelector("#grid [aria-invalid]").dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }))`)
	w.keys(kb.F2)
}

// asking has the page ask about an act on many rows.
func asking(w *window) {
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.eval(`document.getElementById("all").click(); document.getElementById("fold-set").open = true; document.getElementById("of").value = "Price";
		document.getElementById("value").value = "12.50"; document.querySelector("#bulk [value=set]").click()`)
	w.says("Change ")
}

// saving saves the filters of the table of imports as a view, unless they are saved.
func saving(w *window) {
	w.eval(`{ const name = document.querySelector(".views [name=name]:not([type=hidden])");
		if (name) { name.value = "Products to correct"; name.form.querySelector("button").click(); } }`)
	w.until(`document.querySelector(".views [aria-current]")?.textContent === "Products to correct"`)
}
