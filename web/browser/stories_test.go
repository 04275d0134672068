//go:build all

package browser

import (
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func init() {
	stories["problem"] = testProblemIsShown
	stories["control"] = testControl
	stories["wizard"] = testWizardByKeys
	stories["check of many columns"] = testCheckBreaksNoWord
	stories["three actions"] = testCountedActions
	stories["upload goes on"] = testUploadGoesOn
	stories["cards by keys"] = testCardsByKeys
	stories["check"] = testCheckMarksFaults
}

// testProblemIsShown sends a file that is no table. The form stays, and shows why.
func testProblemIsShown(w *window, _ string) {
	file := w.file("letter.pdf", "%PDF-1.7\n")
	w.refused = true
	w.comeForward()
	w.choose(file)
	w.says("The file was not accepted")
	w.until(`document.activeElement.id === "problem" && document.querySelector("#file")`)
}

// testCheckMarksFaults checks a file before the import: the page shows which cells need a
// correction, also empty ones.
func testCheckMarksFaults(w *window, _ string) {
	file := w.file("check.csv", "SKU,Name,Price\nA,,1\nB,b,no\n")
	w.choose(file)
	w.says("2 A empty 1 Name is empty")
	w.until(`document.querySelectorAll("td.faulty").length === 2 && [...document.querySelectorAll("td.faulty")].every((cell) =>
		getComputedStyle(cell).backgroundColor !== getComputedStyle(cell.previousElementSibling).backgroundColor)`)
}

// testControl pauses an import of slow rows of one key, resumes it, and cancels it. The grid of its rows, which
// are closed then, has no boxes and no empty bar of acts.
func testControl(w *window, _ string) {
	text := "SKU,Name,Price,Brand,Note\nX,x,no,Acme,\n" + strings.Repeat("L,l,1,Acme,!slow\n", 500)
	file := w.file("long.csv", text)
	w.upload(file)
	w.until(`location.pathname.includes("/tasks/")`)
	w.refused = true // while it is offline
	w.offline(true)
	w.do(click(`form[action$="/pause"] button`))
	w.until(`!document.getElementById("lost").hidden && location.pathname.includes("/tasks/")`)
	w.offline(false)
	w.until(`!document.querySelector('form[action$="/pause"] button').disabled`)
	w.do(click(`form[action$="/pause"] button`))
	w.until(`document.querySelector("#task .status").textContent === "Paused"`)
	w.do(click(`form[action$="/resume"] button`))
	w.until(`document.querySelector("#task .status").textContent === "Working"`)
	w.do(click("#fold-cancel"))
	w.says("cannot be undone")
	w.eval(`void fetch(location.pathname.replace("/tasks/", "/api/v1/tasks/") + "/pause", { method: "POST" })`) // as another user
	w.until(`document.querySelector("#task .status").textContent === "Paused"`)
	w.until(`document.querySelector("#ask-cancel").open`)
	w.do(click(`form[action$="/cancel"] button`))
	w.until(`document.querySelector("#task").dataset.status === "canceled"`)
	w.until(`!document.querySelector(".controls")`)
	w.eval(`location.pathname += "/repair"`)
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false" && document.querySelector("#grid tbody th")`)
	w.until(`!document.querySelector("#grid [type=checkbox]") && !document.querySelector("#grid thead th").textContent &&
		getComputedStyle(document.querySelector(".under")).display === "none"`)
}

// testCardsByKeys opens the form of a row with the keyboard alone, on a narrow screen and on a
// magnified page. The row keeps the focus when the window becomes wide and narrow again, even in the middle of an edit.
func testCardsByKeys(w *window, _ string) {
	w.upload(badRows(w))
	w.says("300 rows need a correction, for 2 causes.")
	w.do(chromedp.EmulateViewport(390, 800), click("#rows a[href$='/repair']"))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "301"`)
	w.eval(`document.querySelector("#bulk [value=resubmit]").focus()`)
	w.keys(kb.Tab)
	w.until(`document.activeElement.getAttribute("role") === "rowheader" && document.activeElement.innerText === "4"`)
	w.keys(kb.ArrowDown, "x")
	w.until(`document.activeElement.innerText === "5" && !document.querySelector(".editor")`)
	w.do(chromedp.EmulateViewport(1280, 800))
	w.until(`document.activeElement.innerText === "5"`)
	w.at(5, brandOfAcne)
	w.keys("x")
	w.do(chromedp.EmulateViewport(390, 800))
	w.until(`document.activeElement.getAttribute("role") === "rowheader" && document.activeElement.innerText === "5" && !document.querySelector(".editor")`)
	w.until(`document.getElementById("say").textContent.includes("Row 5: saved")`)
	w.keys(kb.ArrowUp, kb.ArrowDown, kb.Enter)
	w.until(`/rows\/4$/.test(location.pathname)`)
}
