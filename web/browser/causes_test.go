//go:build all

package browser

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func init() {
	stories["counts of causes"] = testCausesAddUp
	stories["rows that run are counted"] = testRunsAreCounted
	stories["columns fit"] = testColumnsFit
	stories["a row in error is left out"] = testErrorLeftOut
}

// testColumnsFit opens the grid of a file with seven columns. One row ended with a system error. All columns and
// the reason of the error are visible without scrolling. On a phone, the card of the row has the reason.
func testColumnsFit(w *window, _ string) {
	w.upload(w.file("fit.csv", "SKU,Name,Price,Brand,Stock,Start,Note\nF0,Lamp,1,Acne,4,2026-03-31,\nF1,Lamp,1,Acme,4,2026-03-31,!error\nF2,Lamp,1,Acme,4,,\n"))
	w.until(`document.querySelector("#task .status")?.textContent.startsWith("Finished")`)
	w.eval(`location.assign(location.pathname + "/repair")`)
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.until(`innerWidth === 1280 && ((scroller) => scroller.scrollWidth === scroller.clientWidth)(document.querySelector(".scroller"))`)
	w.until(cellAt(3, 10) + `.textContent.startsWith("A system error") && ` + cellAt(3, 5) + `.clientWidth >= 96`)
	w.until(cellAt(2, 8) + `.textContent === "2026-03-31" && ((cell) => cell.scrollWidth <= cell.clientWidth)(` + cellAt(2, 8) + `)`)
	w.do(chromedp.EmulateViewport(390, 800))
	w.until(cellAt(3, 10) + `.getClientRects().length === 1 && ` + cellAt(3, 10) + `.clientWidth > 200 && ` + cellAt(2, 10) + `.getClientRects().length === 0`)
	w.do(chromedp.EmulateViewport(768, 1000))
	w.eval(`location.assign(document.querySelector("a.brand").href)`)
	w.until(`((table) => table && table.scrollWidth <= table.clientWidth && table.querySelector(".ac .button"))(document.querySelector(".wide:has(.imports)"))`)
}

// testCausesAddUp pastes an invalid price into a row with a system error. It adds a second fault to another row,
// and corrects the first fault of this row. The counts of the causes add up to the number of rows to correct.
func testCausesAddUp(w *window, _ string) {
	w.upload(w.file("causes.csv", "SKU,Name,Price,Brand,Note\nC0,n,1,Acme,\nC1,n,1,Acme,!error\nC2,n,1,Acne,\nC3,n,1,Acne,\n"))
	w.until(`document.querySelector("#task .status")?.textContent.startsWith("Finished")`)
	w.eval(`location.assign(location.pathname + "/repair")`)
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	addUp := func(cause string) {
		w.t.Helper()
		w.until(`document.querySelector(".chips").innerText.includes("` + cause + `")
			&& [...document.querySelectorAll(".chip b")].reduce((sum, n) => sum + Number(n.textContent), 0) === 3
			&& document.querySelector("[data-tab=open]").textContent === "3"`)
	}
	addUp("System error")
	const price = 5
	w.at(3, price)
	w.pastes("none")
	w.until(cellAt(3, price) + `.getAttribute("aria-invalid") === "true"`)
	addUp("Price: Invalid number")
	w.until(`!document.querySelector(".chips").innerText.includes("System error")`)
	w.at(4, price)
	w.keys(kb.Delete)
	w.until(cellAt(4, price) + `.getAttribute("aria-invalid") === "true"`)
	addUp("Brand: Not known") // the first fault stays first
	w.at(4, brandOfAcne)
	w.pastes("Acme")
	addUp("Price: Empty")
}

// testRunsAreCounted corrects two rows in the grid. A newer row of the key of the first one has finished: the button
// counts only the row that runs, and leads to a question.
func testRunsAreCounted(w *window, _ string) {
	w.upload(w.file("runs.csv", "SKU,Name,Price,Brand\nR0,n,1,Acne\nR1,n,1,Acne\nR0,n,1,Acme\n"))
	w.until(`document.querySelector("#task .status")?.textContent.startsWith("Finished")`)
	w.eval(`location.assign(location.pathname + "/repair?resolution=open")`)
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	const button = `document.querySelector("#run button")`
	w.until(button + `.disabled`)
	w.at(2, brandOfAcne)
	w.pastes("Acme")
	w.until(`!` + button + `.disabled && ` + button + `.innerText.includes("Decide on 1 row…")`)
	w.at(3, brandOfAcne)
	w.pastes("Acme")
	w.until(button + `.innerText.includes("Run 1 ready row…")`)
	w.do(click("#run button"))
	w.says("1 row will not run")
}

// testErrorLeftOut leaves out a row in error while slow rows run. The polls of the page still count the invalid
// row among the rows to correct.
func testErrorLeftOut(w *window, _ string) {
	w.upload(w.file("left.csv", "SKU,Name,Price,Brand,Note\nA,a,1,Acme,!error\nC,c,no,Acme,\n"+strings.Repeat("B,b,2,Acme,!slow\n", 4)))
	const count = `document.querySelector("#task [data-count=%s]").textContent`
	w.until(`location.pathname.includes("/tasks/") && ` + fmt.Sprintf(count, "error") + ` === "1"`)
	w.eval(`window.old = true; fetch(location.pathname + "/repair", { method: "POST", body: new URLSearchParams(
		{ rows: "all", code: "SYSTEM_ERROR", act: "skip", go: "1", back: "task" }) }).then(() => location.reload())`)
	w.until(`!window.old && document.readyState === "complete" && ` + fmt.Sprintf(count, "skipped") + ` === "1"`)
	w.eval(`window.finish = ` + fmt.Sprintf(count, "finish") + `;
		setInterval(() => { window.wrong ||= ` + fmt.Sprintf(count, "failed") + ` !== "1" }, 10)`)
	w.until(`window.finish && window.finish !== ` + fmt.Sprintf(count, "finish"))
	w.until(`window.finish && !window.wrong`)
}
