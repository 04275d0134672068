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
}

// opensGrid imports a file, and opens the grid of its failed rows. It waits until all rows are there.
func (w *window) opensGrid(file string, rows int) {
	w.t.Helper()
	w.upload(file)
	w.says(fmt.Sprintf("%d rows need a correction", rows))
	w.do(click("#rows a[href$='/repair']"))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
}

// testListIsAtItsCell opens the list of known values in the first and in the last row. It is directly
// below its cell where there is room, else directly above, also while its values get fewer.
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
