//go:build all

package browser

func init() { stories["leave out"] = testLeaveRowsOut }

// undos is the number of buttons of the page that undo an act.
const undos = `document.querySelectorAll("main [value=undo]").length`

// testLeaveRowsOut leaves out one row, and then two. The question names the import, the rows and the
// reason. The message after the undo says that the row is no longer left out. The page offers one undo of the
// act, and no undo of the undo.
func testLeaveRowsOut(w *window, _ string) {
	w.opensGrid(acneRows(w, 3), 3)
	leave := func(note string, rows ...string) {
		w.t.Helper()
		w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
		for _, row := range rows {
			w.do(click(`[aria-label="Row ` + row + `"]`))
		}
		w.do(click("#fold-leave summary"))
		w.until(`document.querySelector("#fold-leave[open]")`)
		w.eval(`document.getElementById("note").value = "` + note + `"`)
		w.do(click("#bulk [value=skip]"))
	}
	leave("Not ours", "4")
	w.says("Correct rows of acne.csv")
	w.says("acne.csv · Row 4")
	w.says("Reason: Not ours")
	w.do(click("button.primary"))
	w.says("1 row was left out.")
	w.until(undos + " === 1")
	w.do(click("#told [value=undo]"))
	w.says("1 row is no longer left out.")
	w.until(undos + " === 0")
	leave("", "3", "5")
	w.says("acne.csv · 2 rows")
	w.until(`!document.body.innerText.includes("Reason")`)
	w.do(click("button.primary"))
	w.says("2 rows were left out.")
}
