package browser

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// serve starts the whole service and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	api := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"),
		[]string{"LISTEN=127.0.0.1:0", "DATA_DIR=data"})
	return api.URL()
}

// stories lists what people do with the pages, by name. `make test-all` adds more.
var stories = map[string]func(*window, string){
	"import": testImport, "live progress": testProgressIsLive, "repair": testRepair, "cause": testCause,
}

// atRoot holds the stories of TestPages. It is a copy from before the init functions add their stories. These run
// below a path, behind a proxy and with a session, and in `make chaos` in TestPages, too.
var atRoot = maps.Clone(stories)

func init() {
	if testenv.Chaos {
		atRoot = stories
	}
}

// TestPages runs stories on one service, each in a tab.
func TestPages(t *testing.T) {
	t.Parallel()
	url, browser := serve(t), startBrowser(t)
	w := openWindow(t, browser)
	w.do(chromedp.Navigate(url))
	w.says("No imports yet")
	for name, story := range atRoot {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openWindow(t, browser)
			w.do(chromedp.Navigate(url))
			story(w, url)
		})
	}
}

// testImport sends a file, watches the progress bar, reads the failed rows, and downloads them.
func testImport(w *window, _ string) {
	t := w.t
	file, err := filepath.Abs("../../testdata/products.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	w.upload(file)
	w.until(`location.pathname.includes("/tasks/")`)
	w.says("20 rows need a correction, for")
	w.says("180 of 200 rows are imported.")
	w.eval(`document.getElementById("fold-rows").open = true`)
	w.until(`document.querySelectorAll("table.rows tbody tr").length === 20`)
	w.says("35 Price twelve Price: \\\"twelve\\\" is not a number")

	dir := t.TempDir()
	name := w.download(dir, `document.querySelector("#downloads a")`)
	if name != "products-failed.xlsx" {
		t.Errorf("the download is named %q, want products-failed.xlsx", name)
	}
	book, err := excelize.OpenFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil || len(rows) != 21 {
		t.Errorf("the download has %d rows, %v; want the headings and 20 rows", len(rows), err)
	}
	sendCorrections(w, book, filepath.Join(dir, name))

	// Three of the repaired rows have a newer row of their key, which has finished.
	w.do(click(".crumb"))
	w.until(`[...document.querySelectorAll(".imports tr")].some(r => r.innerText.includes("products.xlsx") && ` +
		`r.querySelector(".bar").getAttribute("aria-label").startsWith("185 of 200"))`)
}

// sendCorrections replaces an unknown brand with a known one, and a price with a text that is still
// no price. It sends the file, and then sends it again, which changes nothing.
func sendCorrections(w *window, book *excelize.File, path string) {
	sheet, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		w.t.Fatal(err)
	}
	for i, cells := range sheet {
		at := fmt.Sprintf("E%d", i+1)
		if cells[4] == "Unheard Of" {
			err = errors.Join(err, book.SetCellValue(book.GetSheetName(0), at, "Acme"))
		}
		if cells[2] == "twelve" {
			err = errors.Join(err, book.SetCellValue(book.GetSheetName(0), fmt.Sprintf("C%d", i+1), "dozen"))
		}
	}
	if err := errors.Join(err, book.Save(), book.Close()); err != nil {
		w.t.Fatal(err)
	}
	w.do(
		chromedp.SetUploadFiles(chromedp.ID("corrected"), []string{path}),
		click(".correct button"),
	)
	w.says("rows run again.")
	w.says("Changed, but not run: 2.")
	w.do(click("#findings summary"))
	w.says("dozen")
	w.until(`document.querySelector("#task .status").textContent === "Finished, 12 rows need correction"`)
	w.do(
		chromedp.SetUploadFiles(chromedp.ID("corrected"), []string{path}),
		click(".correct button"),
	)
	w.says("The corrected file has no changes")
}

// testProgressIsLive watches slow rows on the page of the task and on the list of imports, which are not reloaded
// meanwhile. The slow rows have one key, and take four seconds together.
func testProgressIsLive(w *window, url string) {
	text := "SKU,Name,Price,Brand,Note\nA,a,1,Acme,\nB,b,2,Acme,!slow\nB,b,3,Acme,!slow\nC,c,no,Acme,\n"
	file := w.file("slow.csv", text)
	w.upload(file)
	w.until(`location.pathname.includes("/tasks/")`)
	w.eval("window.kept = true")
	list := openWindow(w.t, w.browser)
	list.do(chromedp.Navigate(url))
	list.eval("window.kept = true")
	card := `[...document.querySelectorAll(".imports tr")].find(r => r.innerText.includes("slow.csv"))`
	list.until(card + `.querySelector(".badge.run")`)
	w.until(`document.querySelector("#task [data-part=finish]").width.baseVal.valueInSpecifiedUnits >= 50`)
	w.until(`document.querySelector("#task [data-part=finish]").width.baseVal.valueInSpecifiedUnits < 100`)
	w.says("of 4 rows")

	w.says("Finished, 1 row needs correction")
	w.says("1 row needs a correction, for 1 cause.")
	w.until(`document.querySelectorAll("table.rows tbody tr").length === 1`)
	w.until(`document.getElementById("say").textContent === "Finished, 1 row needs correction"`)
	list.until(card + `.querySelector(".badge.warn")`)
	for _, w := range []*window{w, list} {
		w.until("window.kept")
	}
}
