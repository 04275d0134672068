//go:build all

package browser

import (
	"github.com/chromedp/chromedp"
)

func init() { stories["accept"] = testAcceptRows }

// testAcceptRows accepts two rows of the grid as they are. Without a reason the page asks for one.
// The message offers to undo it.
func testAcceptRows(w *window, _ string) {
	w.refused = true // an act without a reason
	w.upload(acneRows(w, 3))
	w.says("3 rows need a correction")
	task := value[string](w, "location.pathname")
	accept := func(note string) {
		w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
		w.do(click(`[aria-label="Row 3"]`), click(`[aria-label="Row 4"]`), click("#fold-leave summary"))
		w.eval(`document.getElementById("note").value = "` + note + `"`)
		w.do(click("#bulk [value=accept]"))
	}
	w.do(click("#rows a[href$='/repair']"))
	accept("")
	w.says("Enter a reason.")
	w.do(chromedp.NavigateBack())
	w.until(`location.pathname === "` + task + `/repair"`)
	w.do(chromedp.Reload())
	accept("Entered by hand")
	w.says("Accept 2 rows as they are?")
	w.says("Reason: Entered by hand")
	w.do(click("button.primary"))
	w.says("2 rows are accepted as they are.")
	w.until(cellAt(4, state) + `?.textContent.trim() === "Accepted"`)
	w.do(click("#told [value=undo]"))
	w.until(cellAt(4, state) + `?.textContent.trim() === "To correct"`)
}
