//go:build all

package browser

import (
	"github.com/chromedp/chromedp"
)

func init() { stories["accept"] = testAcceptRows }

// testAcceptRows accepts two rows of the grid as they are. While no row is selected, the acts on rows are
// disabled. The page asks for a reason if none is given. The message offers to undo the act.
func testAcceptRows(w *window, _ string) {
	w.upload(acneRows(w, 3))
	w.says("3 rows need a correction")
	accept := func(note string) {
		w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
		w.do(click(`[aria-label="Row 3"]`), click(`[aria-label="Row 4"]`), click("#fold-leave summary"))
		w.eval(`document.getElementById("note").value = "` + note + `"`)
		w.do(click("#bulk [value=accept]"))
	}
	w.do(click("#rows a[href$='/repair']"))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	const disabled = `[...document.querySelectorAll("#bulk summary, #bulk > [value=resubmit]")].filter((act) => act.ariaDisabled && act.title.startsWith("No row is selected.")).length`
	w.until(disabled + " === 4")
	w.do(click("#bulk > [value=resubmit]"), click("#fold-set summary"), click("#fold-leave summary"))
	w.until(`!document.querySelector("#bulk details[open]") && location.pathname.endsWith("/repair")`)
	w.do(click(`[aria-label="Row 3"]`))
	w.until(disabled + " === 0")
	w.do(click("#fold-leave summary"))
	w.until(`document.querySelector("#fold-leave[open]")`)
	w.do(click(`[aria-label="Row 3"]`))
	w.until(disabled + ` === 4 && !document.querySelector("#bulk details[open]")`)
	accept("")
	w.until(`document.activeElement.id === "note"`)
	w.do(chromedp.Reload())
	accept("Entered by hand")
	w.says("Accept 2 rows as they are?")
	w.says("Reason: Entered by hand")
	w.do(click("button.primary"))
	w.says("2 rows are accepted as they are.")
	w.until(cellAt(4, state) + `?.textContent.trim() === "Accepted"`)
	w.do(click("#told [value=undo]"))
	w.says("2 rows are no longer accepted as they are.")
	w.until(cellAt(4, state) + `?.textContent.trim() === "To correct"`)
}
