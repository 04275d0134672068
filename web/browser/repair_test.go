package browser

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is a text that an attacker may write into a cell.
const hostile = `<img src=x onerror="document.title='hacked'">`

// badRows is a file with 300 rows that fail, and two that do not.
func badRows(w *window) string {
	var b strings.Builder
	b.WriteString("Colour,SKU,Name,Price,Brand\nred,G1,good,1,Acme\nred,G2,good,1,Acme\n")
	for i := range 290 {
		fmt.Fprintf(&b, "red,P%d,%q,no%d,Acme\n", i, strings.ReplaceAll(hostile, `"`, `'`), i)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "red,B%d,n,2,Acma\n", i)
	}
	return w.file("bad.csv", b.String())
}

// cellAt returns an expression for the cell in a row of the file and the column with this number.
func cellAt(row, column int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#grid tbody tr")].find(tr => tr.row?.row === %d)?.children[%d]`, row, column)
}

const (
	state = 2 // the columns of the grid
	price = 6
	brand = 7
)

// testRepair repairs 300 rows: some with the keyboard alone, some while another user edits them or the connection
// is lost, and the others all at once.
func testRepair(w *window, _ string) {
	w.upload(badRows(w))
	w.says("300 rows need a correction, for 2 causes.")
	w.do(click("#rows a[href$='/repair']"))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "301"`)
	w.until(`document.querySelectorAll("#grid tbody tr").length < 80`)
	w.until(`document.querySelector("#grid").innerText.includes("<img src=x") && !document.querySelector("#grid img")`)

	// Tab reaches the grid once. A typed value is checked at once, and can be undone.
	w.eval(`document.querySelector("#bulk [value=resubmit]").focus()`)
	w.keys(kb.Tab)
	w.until(`document.activeElement.getAttribute("role") === "gridcell"`)
	w.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, "x", "y", kb.Escape)
	w.until(`document.activeElement === ` + cellAt(4, price))
	w.until(`document.getElementById("why").textContent.includes("is not a number")`)
	w.keys("7", kb.Enter)
	w.until(cellAt(4, state) + `.textContent.trim() === "Ready to run"`)
	w.until(`document.activeElement === ` + cellAt(5, price))
	w.keys(kb.F2)
	w.until(`document.activeElement.value === "no1"`)
	w.keys("nix", kb.Tab)
	w.until(cellAt(5, price) + `.textContent.includes("nix") && document.activeElement === ` + cellAt(5, brand))
	w.until(`document.getElementById("say").textContent === "Row 5: saved, still to correct"`)
	w.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.until(cellAt(5, price) + `.textContent.includes("no1")`)
	w.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.until(`document.activeElement.parentElement.row?.row === 303`)

	testBlocks(w)
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

// testTwoPeople has two users type into one cell. The page asks the second user what to do, and
// shows the value of the first user without a reload. In row 8, the page of the second user has polled the
// new value before, and its window has lost the focus and received it again.
func testTwoPeople(w, two *window) {
	here, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.href"))
	if err != nil {
		w.t.Fatal(err)
	}
	two.refused = true // the service refuses to overwrite the value of the first user
	two.do(chromedp.Navigate(here))
	w.do(chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	two.at(6, price)
	two.keys(kb.F2)
	two.until(`document.activeElement.value === "no2"`)
	w.at(6, price)
	w.keys("8", kb.Enter)
	w.until(cellAt(6, state) + `.textContent.trim() === "Ready to run"`)
	two.keys("9", kb.Enter)
	two.says("Another user has changed row 6 in the meantime.")
	two.until(`document.querySelector("dialog").textContent.includes("Theirs: 8")`)
	two.do(click("dialog button[value=mine]"))
	two.until(cellAt(6, price) + `.textContent.startsWith("9") && ` + cellAt(6, state) + `.textContent.trim() === "Ready to run"`)
	w.until(cellAt(6, price) + `.textContent.startsWith("9")`)

	two.at(8, price)
	two.keys(kb.F2)
	two.until(`document.activeElement.value === "no4"`)
	ready := value[string](two, `document.querySelector("[data-tab=fixed]").textContent`)
	w.at(8, price)
	w.keys("8", kb.Enter)
	two.until(`document.querySelector("[data-tab=fixed]").textContent !== "` + ready + `"`)
	two.eval(`document.activeElement.dispatchEvent(new FocusEvent("blur"))`)
	two.keys("9", kb.Enter)
	two.until(`document.querySelector("dialog")?.textContent.includes("Theirs: 8")`)
	two.do(click("dialog button[value=theirs]"))
	two.until(cellAt(8, price) + `.textContent.startsWith("8")`)
}

// testLostConnection types while the service cannot be reached.
func testLostConnection(w, two *window) {
	two.offline(true)
	two.at(7, price)
	two.keys("1", kb.Enter)
	two.says("Your changes are kept on this page")
	two.offline(false)
	two.until(cellAt(7, state) + `.textContent.trim() === "Ready to run" && !document.body.innerText.includes("are kept on this page")`)
	w.until(cellAt(7, state) + `.textContent.trim() === "Ready to run"`)
}

// pastes has the browser paste a text at the focus.
func (w *window) pastes(text string) {
	w.t.Helper()
	w.eval(fmt.Sprintf(`{ const data = new DataTransfer(); data.setData("text/plain", %q);
		document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); }`, text))
}

// with presses a key together with others.
func (w *window) with(modifiers chromedp.Modifier, key string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers)))
}

// testBlocks pastes a block of a spreadsheet, copies, fills down, and undoes each as one act. Then
// it goes from fault to fault, and takes a known value from the list.
func testBlocks(w *window) {
	w.with(chromedp.ModifierCtrl, kb.Home)
	w.at(10, price)
	w.pastes("1\tAcme\r\n2\tStark\r\n3\t\"Glo\nbex\"\r\n")
	w.says("Cells pasted: 5.")
	w.until(cellAt(10, state) + `.textContent.trim() === "Ready to run" && !document.getElementById("why").textContent.includes("not a number")`)
	for row, want := range map[int]string{10: "1", 11: "2", 12: "3"} {
		w.until(cellAt(row, price) + `.querySelector("bdi").textContent === "` + want + `"`)
	}
	w.until(cellAt(11, brand) + `.textContent === "Stark" && ` + cellAt(12, brand) + `.textContent.startsWith("Glo")`)
	w.until(cellAt(11, state) + `.textContent.trim() === "Ready to run"`)
	w.until(`Number(document.querySelector("[data-tab=fixed]").textContent) === 4`) // with the one before
	w.do(click("#told button"))
	for _, row := range []int{10, 11, 12} {
		w.until(cellAt(row, price) + `.textContent.startsWith("no") && ` + cellAt(row, brand) + `.textContent === "Acme"`)
	}
	w.until(`Number(document.querySelector("[data-tab=fixed]").textContent) === 1`)
	if n := value[int](w, `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/undo")).length`); n != 2 {
		w.t.Errorf("%d requests undo a typed text and a paste, want 2", n)
	}
	testPasteInHistory(w)

	w.at(10, price)
	w.keys("5", kb.Enter)
	w.until(cellAt(10, price) + `.textContent === "5"`)
	w.at(10, price)
	w.with(chromedp.ModifierShift, kb.ArrowDown)
	w.with(chromedp.ModifierShift, kb.ArrowDown)
	w.with(chromedp.ModifierCtrl, "d")
	w.until(cellAt(11, price) + `.textContent === "5" && ` + cellAt(12, price) + `.textContent === "5"`)
	w.eval(`{ const data = new DataTransfer(); window.copied = data;
		document.activeElement.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true })); }`)
	w.until(`copied.getData("text/plain") === "5\n5\n5"`)
	w.until(cellAt(12, state) + `.textContent.trim() === "Ready to run"`)
	w.with(chromedp.ModifierCtrl, "z")
	w.until(cellAt(11, price) + `.textContent.startsWith("no")`)

	w.at(10, price)
	w.keys(kb.F8)
	w.until(`document.activeElement === ` + cellAt(11, price))
	w.with(chromedp.ModifierShift, kb.F8)
	w.until(`document.activeElement.getAttribute("aria-invalid") === "true" && document.activeElement.parentElement.row.row < 10`)

	w.with(chromedp.ModifierCtrl, kb.End)
	w.at(303, brand)
	w.with(chromedp.ModifierAlt, kb.ArrowDown)
	w.until(`document.querySelector(".list [aria-selected=true]")?.dataset.value === "Acme"`)
	w.keys(kb.Enter)
	w.until(cellAt(303, state) + `.textContent.trim() === "Ready to run"`)
	w.with(chromedp.ModifierCtrl, "z")
	w.until(cellAt(303, brand) + `.textContent.startsWith("Acma")`)
	w.with(chromedp.ModifierCtrl, kb.Home)
}

// testPasteInHistory pastes into twelve rows and leaves the grid. The history of the task has one entry for the paste,
// which names its rows, and one press undoes it. The grid sends a few rows at once: each of many requests at once
// would time out while it waits in the browser.
func testPasteInHistory(w *window) {
	w.at(10, price)
	w.eval(`{ const plain = fetch; let now = 0; window.most = 0;
		window.fetch = async (at, how) => {
			if (how?.method !== "PATCH") return plain(at, how);
			most = Math.max(most, ++now);
			try { return await plain(at, how); } finally { now--; }
		}; }`)
	w.pastes(strings.Repeat("1\tAcme\r\n", 12))
	w.until(`Number(document.querySelector("[data-tab=fixed]").textContent) === 13`)
	if most := value[int](w, "most"); most < 2 || most > 6 {
		w.t.Errorf("the grid sends %d rows at once", most)
	}
	w.press(".crumb")
	w.says("12 rows edited: 10, 11, 12, 13, 14 … 21")
	actions := 0
	w.press("#trail [value=undo]")
	actions++
	w.says("12 rows have their previous values again.")
	if actions > 1 {
		w.t.Errorf("the undo of a paste took %d actions", actions)
	}
	w.press("#rows a[href$='/repair']")
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "301"`)
	w.until(`Number(document.querySelector("[data-tab=fixed]").textContent) === 1`)
	w.until(cellAt(11, price) + `.textContent.startsWith("no")`)
}

// testManyRows sets the brand of all rows of a cause and the price of the others, and resubmits
// all. Rows that were corrected keep their values.
func testManyRows(w *window) {
	change := func(column, value, asks string) {
		w.do(click("#all"))
		w.do(click("#fold-set summary"))
		w.eval(`document.getElementById("of").value = "` + column + `"; document.getElementById("value").value = "` + value + `"`)
		w.do(click("#bulk [value=set]"))
		w.says(asks)
		w.do(click("button.primary"))
	}
	whole := func(rows string) {
		w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "` + rows + `"`)
		w.until(`document.querySelector("#grid [role=grid]").getAttribute("aria-busy") === "false"`)
	}
	w.press(".chip[href*=BRAND_UNKNOWN]")
	whole("11")
	change("Brand", "Acme", "in 10 rows?")
	w.says("10 rows were changed.")
	w.press(".chip[href*=INVALID_NUMBER]")
	whole("286")
	change("Price", "3", "in 285 rows?")
	w.says("285 rows were changed.")
	w.press(".chip:first-child")
	w.until(`location.search === "?resolution=open"`)
	w.press(".tabs a:first-child")
	whole("301")
	w.says("Run 300 ready rows")
	w.do(click("#run button"))
	w.until(`document.querySelector("#task .status")?.textContent === "Finished"`)
}

// acneRows returns a file with rows whose brand is unknown, and one more row whose brand is known.
func acneRows(w *window, rows int) string {
	var b strings.Builder
	b.WriteString("SKU,Name,Price,Brand\nG,good,1,Acme\n")
	for i := range rows {
		fmt.Fprintf(&b, "A%d,n,2,Acne\n", i)
	}
	return w.file("acne.csv", b.String())
}

// testCause corrects all rows of a cause with one press for 101 rows. The link in the message
// undoes the act, and a connection that breaks leaves the page as it is.
func testCause(w *window, _ string) {
	w.upload(acneRows(w, 101))
	w.says("101 rows need a correction, for 1 cause.")
	press := func(what string) {
		w.until(`document.querySelector(".cause .primary")?.textContent.includes("101 rows")`)
		w.do(click(what))
	}
	press(".cause .primary")
	w.says("“Acne” becomes “Acme” in 101 rows.")
	w.do(click("#told [value=undo]"))
	w.says("101 rows have their previous values again.")
	w.says("101 rows need a correction, for 1 cause.")

	actions := 0
	press(".cause .primary")
	actions++
	w.says("The run starts in")
	w.until(`document.querySelector("#task .status")?.textContent === "Finished"`)
	w.says("Done: 102 rows are imported.")
	if actions > 2 {
		w.t.Errorf("one cause took %d actions", actions)
	}
}
