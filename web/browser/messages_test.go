//go:build all

package browser

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func init() { stories["messages"] = testMessagesMoveNothing }

// testMessagesMoveNothing has the grid show the message about a paste, and the one about a lost
// connection. Neither moves the grid or covers it.
func testMessagesMoveNothing(w *window, _ string) {
	w.opensGrid(acneRows(w, 3), 3)
	top := value[float64](w, `document.querySelector(".scroller").getBoundingClientRect().top`)
	stays := func(when string) {
		w.t.Helper()
		if now := value[float64](w, `document.querySelector(".scroller").getBoundingClientRect().top`); now != top {
			w.t.Errorf("%s: the grid is at %v px, was at %v px", when, now, top)
		}
		if value[bool](w, `[...document.querySelectorAll(".says .msg")].some((msg) => msg.getBoundingClientRect().bottom > document.querySelector(".gridcard").getBoundingClientRect().top)`) {
			w.t.Errorf("%s: the message covers the grid", when)
		}
	}
	w.at(3, brandOfAcne)
	w.pastes("Stark\nGlobex\n")
	w.says("Cells pasted: 2.")
	stays("a paste")
	w.do(click("#told button"))
	w.until(`!document.querySelector("#told .msg") && document.querySelector("[data-tab=open]").textContent === "3"`)
	stays("its undo")
	w.refused = true // while it is offline
	w.offline(true)
	w.at(4, brandOfAcne)
	w.keys("Stark", kb.Enter)
	w.says("No connection.")
	stays("a lost connection")
	w.offline(false)
	w.until(cellAt(4, state) + `.textContent.trim() === "Ready to run" && !document.body.innerText.includes("No connection.")`)
	w.do(chromedp.Reload())
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	stays("another page")
}
