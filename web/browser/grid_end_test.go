//go:build all

package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// gated delays the second and later pages of rows until the test opens the gate. Then the first of these requests
// is answered with the status `refusal`, which is 503 unless the test changes it.
const gated = `{
	let open; const gate = new Promise((done) => (open = done));
	window.openGate = open; window.refusal = 503; window.held = window.came = 0;
	const real = window.fetch;
	window.fetch = async (address, options) => {
		if (!String(address).includes("cursor=")) return real(address, options);
		held++;
		await gate;
		const status = refusal; refusal = 0;
		if (status) return new Response("", { status });
		const answer = await real(address, options);
		const text = await answer.text();
		came++;
		return new Response(text, { status: answer.status, headers: answer.headers });
	};
}`

// manyPages is a number of failing rows for which the grid requests three pages.
const manyPages = 650

// lastSeen is true if the last row is drawn within the box that scrolls.
var lastSeen = fmt.Sprintf(`(cell => { if (!cell) return false; const box = document.querySelector(".scroller").getBoundingClientRect();
	const own = cell.getBoundingClientRect(); return own.height > 0 && own.top >= box.top && own.bottom <= box.bottom + 1 && own.bottom <= innerHeight; })(%s)`,
	cellAt(manyPages+2, state))

const gridWhole = `document.querySelector("#grid [role=grid]").getAttribute("aria-busy") === "false"`

// TestGrid_CtrlEndWhileRowsLoad_ShowsTheLastRow: Ctrl+End leads to the last row of the list, even if the row is
// not loaded yet, and even if pages come late or with an error.
func TestGrid_CtrlEndWhileRowsLoad_ShowsTheLastRow(t *testing.T) {
	t.Parallel()
	service := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(service))
	w.upload(acneRows(w, manyPages))
	w.says("650 rows need a correction")
	task := value[string](w, "location.pathname")
	if _, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: gated}); err != nil {
		t.Fatal(err)
	}
	half := func() {
		w.do(chromedp.Navigate(service + task + "/repair"))
		w.until(`window.held === 1 && document.querySelector("#grid .keys").innerText.includes("100 rows")`)
		w.at(3, state)
		w.with(chromedp.ModifierCtrl, kb.End)
		w.until(`document.activeElement.parentElement.row?.row === 102`) // the last one so far
	}
	focused := `document.activeElement.parentElement.row?.row === ` + fmt.Sprint(manyPages+2)

	half()
	w.eval("openGate()")
	w.until(gridWhole)
	w.until(lastSeen + " && " + focused)

	half()
	w.eval(`document.getElementById("q").focus(); openGate()`)
	w.until(gridWhole)
	w.until(lastSeen + ` && document.activeElement.id === "q"`)

	half()
	w.keys(kb.ArrowUp)
	w.eval("openGate()")
	w.until(gridWhole)
	w.until(`document.activeElement.parentElement.row?.row === 101`)

	// The rows have arrived, and no frame was drawn since.
	half()
	w.keys(kb.ArrowUp)
	w.eval(`window.requestAnimationFrame = () => 1; openGate()`)
	w.until(`came === 2`)
	w.with(chromedp.ModifierCtrl, kb.End)
	w.until(lastSeen + " && " + focused)

	half()
	w.eval(`refusal = 404; openGate()`)
	w.says("Only 100 rows could be loaded.")
	w.until(gridWhole)
}
