//go:build all

package browser

import (
	"fmt"

	"github.com/chromedp/chromedp"
)

func init() { stories["undo of one of two"] = testUndoOfOneOfTwo }

// testUndoOfOneOfTwo corrects the rows of two causes, and undoes one of the two acts. The page of the
// undo shows that the rows of the other cause have run. A file that was chosen meanwhile stays chosen.
func testUndoOfOneOfTwo(w *window, _ string) {
	text := "SKU,Name,Price,Brand\nU0,Lamp,1,Acme\nU1,Lamp,1,Acne\nU2,Lamp,1,Acne\nU3,Lamp,twelve,Acme\n"
	path := w.file("two.csv", text)
	w.upload(path)
	w.says("3 rows need a correction, for 2 causes.")
	press := `{ const fix = [...document.querySelectorAll(".cause")].find((card) => card.textContent.includes("%s"));
		const field = fix.querySelector("[data-rows]");
		field.value = "%s";
		field.dispatchEvent(new Event("input", { bubbles: true }));
		fix.querySelector("[data-run]").click(); }`
	w.eval(fmt.Sprintf(press, "Acne", "Acme"))
	w.says("becomes")
	w.until(`!document.querySelector(".cause")?.textContent.includes("Acne")`)
	w.eval(fmt.Sprintf(press, "twelve", "12"))
	w.says("“twelve” becomes “12”") // the message about the other correction is gone
	w.do(click("#told [value=undo]"))
	w.says("again.")
	w.do(chromedp.SetUploadFiles(chromedp.ID("corrected"), []string{path}))
	w.until(`["2", "3"].includes(document.querySelector("#task [data-count=finish]")?.textContent)`)
	if n := value[int](w, `document.getElementById("corrected").files.length`); n != 1 {
		w.t.Error("a file that was chosen is forgotten when the page is brought up to date")
	}
}
