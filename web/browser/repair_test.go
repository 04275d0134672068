package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is what somebody may write into a cell.
const hostile = `<img src=x onerror="document.title='hacked'">`

// badRows is a file of 300 rows that fail, and two that do not.
func badRows(w *window) string {
	var b strings.Builder
	b.WriteString("Colour,SKU,Name,Price,Brand\nred,G1,good,1,Acme\nred,G2,good,1,Acme\n")
	for i := range 290 {
		fmt.Fprintf(&b, "red,P%d,%q,no%d,Acme\n", i, strings.ReplaceAll(hostile, `"`, `'`), i)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "red,B%d,n,2,Acma\n", i)
	}
	path := filepath.Join(w.t.TempDir(), "bad.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// cellAt is the cell of a column, by its number, in a row of the file.
func cellAt(row, column int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#grid tbody tr")].find(tr => tr.row?.row === %d)?.children[%d]`, row, column)
}

const (
	state = 2 // the columns of the grid
	price = 6
	brand = 7
)

// testRepair has 300 rows repaired: with the keyboard alone, against another
// person, through a broken connection, and all the others at once.
func testRepair(w *window, _ string) {
	w.upload(badRows(w))
	w.says("Finished, 300 rows need correction")
	w.do(chromedp.Click(chromedp.CSS("a.primary")))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "301"`)
	w.until(`document.querySelectorAll("#grid tbody tr").length < 80`)
	w.until(`document.querySelector("#grid").innerText.includes("<img src=x") && !document.querySelector("#grid img")`)

	// Tab reaches the grid once; what is typed is judged at once, and undone.
	w.eval(`document.querySelector(".filters button").focus()`)
	w.keys(kb.Tab)
	w.until(`document.activeElement.getAttribute("role") === "gridcell"`)
	w.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, "x", "y", kb.Escape)
	w.until(`document.activeElement === ` + cellAt(4, price))
	w.until(`document.querySelector(".why").textContent.includes("is not a number")`)
	w.keys("7", kb.Enter)
	w.until(cellAt(4, state) + `.textContent === "Valid"`)
	w.until(`document.activeElement === ` + cellAt(5, price))
	w.keys(kb.F2)
	w.until(`document.activeElement.value === "no1"`)
	w.keys("nix", kb.Tab)
	w.until(cellAt(5, price) + `.textContent.includes("nix") && document.activeElement === ` + cellAt(5, brand))
	w.until(`document.getElementById("say").textContent === "Row 5: saved, still invalid"`)
	w.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.until(cellAt(5, price) + `.textContent.includes("no1")`)
	w.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.until(`document.activeElement.parentElement.row?.row === 303`)

	two := openWindow(w.t, w.browser)
	testTwoPeople(w, two)
	testLostConnection(w, two)
	testManyRows(w)
}

// at goes to the cell of a column in a row that is drawn, as the mouse does.
func (w *window) at(row, column int) {
	w.t.Helper()
	w.until(cellAt(row, column))
	w.eval(cellAt(row, column) + `.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }))`)
	w.until(`document.activeElement === ` + cellAt(row, column))
}

// testTwoPeople has two type into one cell: the second is asked, and sees what
// the first does by itself.
func testTwoPeople(w, two *window) {
	here, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.href"))
	if err != nil {
		w.t.Fatal(err)
	}
	two.refused = true // to overwrite what the first did
	two.do(chromedp.Navigate(here))
	w.do(chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	two.at(6, price)
	two.keys(kb.F2)
	two.until(`document.activeElement.value === "no2"`)
	w.at(6, price)
	w.keys("8", kb.Enter)
	w.until(cellAt(6, state) + `.textContent === "Valid"`)
	two.keys("9", kb.Enter)
	two.says("Another user has changed row 6 in the meantime.")
	two.until(`document.querySelector("dialog").textContent.includes("Theirs: 8")`)
	two.do(chromedp.Click(chromedp.CSS("dialog button[value=mine]")))
	two.until(cellAt(6, price) + `.textContent === "9" && ` + cellAt(6, state) + `.textContent === "Valid"`)
	w.until(cellAt(6, price) + `.textContent === "9"`)
}

// testLostConnection types while the service cannot be reached.
func testLostConnection(w, two *window) {
	two.offline(true)
	two.at(7, price)
	two.keys("1", kb.Enter)
	two.says("Your changes are kept on this page")
	two.offline(false)
	two.until(cellAt(7, state) + `.textContent === "Valid" && !document.body.innerText.includes("are kept on this page")`)
	w.until(cellAt(7, state) + `.textContent === "Valid"`)
}

// testManyRows sets the brand of all rows of a cause, the price of the others,
// and has all run again.
func testManyRows(w *window) {
	change := func(column, value, asks string) {
		w.do(chromedp.Click(chromedp.CSS("#bulk summary")))
		w.eval(`document.getElementById("of").value = "` + column + `"; document.getElementById("value").value = "` + value + `"`)
		w.do(chromedp.Click(chromedp.CSS("#bulk [value=set]")))
		w.says(asks)
		w.do(chromedp.Click(chromedp.CSS("button.primary")))
	}
	w.eval(`document.getElementById("cause").value = "BRAND_UNKNOWN|Brand"`)
	w.do(chromedp.Click(chromedp.CSS(".filters button")))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "11"`)
	change("Brand", "Acme", "in 10 rows?")
	w.says("10 rows were changed.")
	w.eval(`document.getElementById("cause").value = "INVALID_NUMBER|Price"; document.getElementById("resolution").value = "open"`)
	w.do(chromedp.Click(chromedp.CSS(".filters button")))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "288"`)
	change("Price", "3", "in 287 rows?")
	w.says("No row matches the filter.")
	w.do(chromedp.Click(chromedp.CSS(".crumb a")))
	w.until(`document.querySelector("#task a.primary") !== null`)
	w.eval(`document.querySelector("#task a.primary").click()`) // at once: the page renews itself
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "301"`)
	w.do(chromedp.Click(chromedp.CSS("#bulk button.primary")))
	w.says("Run 300 rows again?")
	w.do(chromedp.Click(chromedp.CSS("button.primary")))
	w.says("300 rows run again.")
	w.do(chromedp.Click(chromedp.CSS(".crumb a")))
	w.until(`document.querySelector("#task .status")?.textContent === "Finished"`)
}
