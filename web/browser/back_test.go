//go:build all

package browser

import (
	"os"
	"path/filepath"
)

func init() { stories["back after a fix"] = testBackAfterAFix }

// testBackAfterAFix corrects a cause and goes back to the page before. The page has no card of the cause, and
// counts the rows without it.
func testBackAfterAFix(w *window, _ string) {
	path := filepath.Join(w.t.TempDir(), "back.csv")
	if err := os.WriteFile(path, []byte("SKU,Name,Price,Brand\nB0,Lamp,1,Acme\nB1,Lamp,twelve,Acme\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.upload(path)
	w.says("1 row needs a correction")
	w.eval(`{ const field = document.querySelector(".cause [data-rows]");
		field.value = "12";
		field.dispatchEvent(new Event("input", { bubbles: true }));
		document.querySelector(".cause [data-run]").click(); }`)
	w.says("becomes")
	w.until(`document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
	w.eval(`history.back()`)
	w.until(`location.search === ""`)
	w.until(`!document.querySelector(".cause") && document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
}
