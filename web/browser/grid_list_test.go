//go:build all

package browser

import (
	"fmt"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func init() {
	stories["list of known values"] = testListIsAtItsCell
	stories["next fault"] = testNextFaultWhileEditing
	stories["select a range"] = testSelectsRange
	stories["undo twice"] = testUndoTwice
	stories["typed cells are marked"] = testTypedCellsAreMarked
	stories["fill down with a decimal comma"] = testFillDownWithDecimalComma
}

// opensGrid imports a file, and opens the grid of its failed rows. It waits until all rows are there.
func (w *window) opensGrid(file string, rows int) {
	w.t.Helper()
	w.upload(file)
	w.says(fmt.Sprintf("%d rows need a correction", rows))
	w.do(click("#rows a[href$='/repair']"))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
}

// testSelectsRange selects rows with the mouse. With the Shift key, a click selects all rows from the row that was
// selected before. The list of known values belongs to the chosen column.
func testSelectsRange(w *window, _ string) {
	w.opensGrid(acneRows(w, 6), 6)
	w.eval(`{ const press = (row, shiftKey) => { const box = [...document.querySelectorAll("#grid tbody tr")].find((tr) => tr.row?.row === row).querySelector("input");
			box.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true, shiftKey }));
			box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey })); };
		press(4, false); press(7, true); }`)
	w.says("4 selected")
	w.until(`[4, 5, 6, 7].every((row) => [...document.querySelectorAll("#grid tbody tr")].find((tr) => tr.row?.row === row).querySelector("input").checked)`)
	offers := func(column, values string) {
		w.t.Helper()
		w.eval(`{ const of = document.getElementById("of"); of.value = "` + column + `"; of.dispatchEvent(new Event("change", { bubbles: true })) }`)
		w.until(`[...document.getElementById("value").list.options].map((option) => option.value).join() === "` + values + `"`)
	}
	offers("Brand", "Acme,Globex,Initech,Stark,Umbrella")
	offers("Price", "")
}

// testTypedCellsAreMarked takes a known value from the list while the pointer is on its row: the cell is marked
// as changed. After a paste, the message has the number of cells that are still at fault.
func testTypedCellsAreMarked(w *window, _ string) {
	w.opensGrid(acneRows(w, 6), 6)
	w.do(click(`#grid tbody tr[aria-rowindex="3"] td:nth-child(7)`)) // row 4, on which the pointer stays
	w.at(4, brandOfAcne)
	w.with(chromedp.ModifierAlt, kb.ArrowDown)
	w.until(`document.querySelector(".list [aria-selected=true]")?.dataset.value === "Acme"`)
	w.keys(kb.Enter)
	w.until(cellAt(4, state) + `.textContent.trim() === "Ready to run"`)
	w.until(cellAt(4, brandOfAcne) + `.parentElement.matches(":hover") && getComputedStyle(` + cellAt(4, brandOfAcne) + `).backgroundColor !== getComputedStyle(` + cellAt(4, brandOfAcne-1) + `).backgroundColor`)
	w.at(5, brandOfAcne-1)
	w.pastes("1\nmany\nfew\n")
	w.says("Cells pasted: 3. Still to correct: 2.")
	w.until(`document.querySelector("#told .msg.warn")`)
	w.with(chromedp.ModifierCtrl, "z")
	w.says("Undone in 3 rows")
}

// testUndoTwice undoes a paste and a later change of one of its cells. The user does not wait for the first undo, which
// is slow.
func testUndoTwice(w *window, _ string) {
	w.opensGrid(acneRows(w, 6), 6)
	w.at(4, brandOfAcne)
	w.pastes("Stark\nStark\nStark\n")
	w.until(cellAt(6, brandOfAcne) + `.textContent === "Stark" && ` + cellAt(6, state) + `.textContent.trim() === "Ready to run"`)
	w.at(5, brandOfAcne)
	w.pastes("Globex")
	w.until(`document.getElementById("say").textContent === "Row 5: saved. No problems found so far."`)
	w.eval(`{ const plain = fetch; let slow = true;
		window.fetch = async (at, how) => {
			if (slow && at.endsWith?.("/undo")) { slow = false; await new Promise((go) => setTimeout(go, 300)); }
			return plain(at, how);
		}; }`)
	w.with(chromedp.ModifierCtrl, "z")
	w.with(chromedp.ModifierCtrl, "z")
	for _, row := range []int{4, 5, 6} {
		w.until(cellAt(row, brandOfAcne) + `.textContent.startsWith("Acne")`)
	}
}

// testFillDownWithDecimalComma copies a price with three decimals into the row below. The file has a decimal comma,
// in whose notation 1.250 could mean 1250.
func testFillDownWithDecimalComma(w *window, _ string) {
	w.opensGrid(w.file("comma.csv", "SKU;Name;Price;Brand\nG;good;1,5;Acme\nA;n;1,250;Acne\nB;n;x;Acme\n"), 2)
	w.at(4, brandOfAcne-1)
	w.with(chromedp.ModifierCtrl, "d")
	w.until(cellAt(4, brandOfAcne-1) + `.textContent === "1.250" && ` + cellAt(4, state) + `.textContent.trim() === "Ready to run"`)
}

// testListIsAtItsCell opens the list of known values in the first and in the last row. It is directly
// below its cell where there is room, else directly above, even while its values get fewer.
func testListIsAtItsCell(w *window, _ string) {
	w.opensGrid(acneRows(w, 40), 40)
	at := func(row int, side, edge string) {
		w.t.Helper()
		w.until(fmt.Sprintf(`((list, cell) => list && Math.abs(list.%s - cell.%s) <= 1 && Math.abs(list.left - cell.left) <= 1 && list.bottom <= innerHeight)
			(document.querySelector(".list")?.getBoundingClientRect(), (%s).getBoundingClientRect())`, side, edge, cellAt(row, brandOfAcne)))
	}
	opens := func(row int, side, edge string) {
		w.t.Helper()
		w.at(row, brandOfAcne)
		w.with(chromedp.ModifierAlt, kb.ArrowDown)
		at(row, side, edge)
		w.keys("S", "t")
		w.until(`document.querySelectorAll(".list [role=option]").length === 1`)
		at(row, side, edge)
	}
	opens(3, "top", "bottom")
	w.eval(`document.querySelector(".scroller").scrollTop = 20`)
	at(3, "top", "bottom")
	w.keys(kb.Escape)

	w.with(chromedp.ModifierCtrl, kb.End)
	opens(42, "bottom", "top")
	w.keys(kb.Escape)
}

// brandOfAcne is the column of the brand in the grid of acneRows.
const brandOfAcne = 6

// testNextFaultWhileEditing presses F8 and Shift+F8 in an open cell: the text is saved, and the next or
// the previous fault is active.
func testNextFaultWhileEditing(w *window, _ string) {
	w.opensGrid(acneRows(w, 3), 3)
	w.at(4, brandOfAcne)
	w.keys(kb.F2, "Stark", kb.F8)
	w.until(cellAt(4, state) + `.textContent.trim() === "Ready to run" && document.activeElement === ` + cellAt(5, brandOfAcne))
	w.keys(kb.F2, "Globex")
	w.with(chromedp.ModifierShift, kb.F8)
	w.until(cellAt(5, brandOfAcne) + `.textContent === "Globex" && document.activeElement === ` + cellAt(3, brandOfAcne))
	w.keys(kb.F2, "Nemo")
	w.with(chromedp.ModifierShift, kb.F8)
	w.until(cellAt(3, brandOfAcne) + `.textContent.startsWith("Nemo") && document.activeElement === ` + cellAt(3, brandOfAcne)) // no other fault is left
}
