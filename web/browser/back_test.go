//go:build all

package browser

func init() { stories["back after a fix"] = testBackAfterAFix }

// testBackAfterAFix corrects a cause and goes back to the previous page, which still has the card of the cause. The
// page is brought up to date: it has no card, and counts the row as finished.
// No other story has rows of these keys: a newer row of a key replaces the corrected one.
func testBackAfterAFix(w *window, _ string) {
	path := w.file("back.csv", "SKU,Name,Price,Brand\nBACK-0,Lamp,1,Acme\nBACK-1,Lamp,twelve,Acme\n")
	w.upload(path)
	w.says("1 row needs a correction")
	w.fixes("12")
	w.says("becomes")
	w.until(`document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
	w.eval(`document.body.dataset.left = ""; history.back()`)
	w.until(`!("left" in document.body.dataset)`)
	w.until(`!document.querySelector(".cause") && document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
}
