//go:build all

package browser

import "github.com/chromedp/chromedp"

func init() { stories["row on a phone"] = testRowOnAPhone }

// testRowOnAPhone corrects rows one after another in the form of a row, on a phone and on a wide screen. The bar
// has one line of buttons. After each step, the focus is in the faulty field, and the page says which of how many
// rows to correct is shown.
func testRowOnAPhone(w *window, _ string) {
	w.upload(w.file("phone.csv", "SKU,Name,Price,Brand\nPH1,n,one,Acme\nPH2,n,two,Acme\nPH3,n,three,Acme\nPH4,n,4,Acme\n"))
	w.until(`document.querySelector("#task .status")?.textContent.startsWith("Finished")`)
	w.do(chromedp.EmulateViewport(390, 844))
	w.eval(`location.assign(location.pathname + "/rows/1")`)
	w.until(`document.querySelector("#place")?.textContent === "1 of 3 to correct"`)
	w.until(`document.querySelector(".one .under").offsetHeight <= 72`)
	w.until(`[...document.querySelectorAll(".under > button, .under summary")].filter((one) => one.offsetHeight)
		.every((one, _, all) => one.offsetTop === all[0].offsetTop)`)
	w.do(click("#fold-skip summary"))
	w.until(`[...document.querySelectorAll("#fold-skip button")].some((one) => one.value === "resubmit" && one.offsetHeight)
		&& document.querySelector("#fold-skip .pop").getBoundingClientRect().bottom <= innerHeight`)
	w.do(click("#fold-skip summary"))
	for _, step := range []struct {
		place string
		width int64
	}{{"2 of 3 to correct", 1280}, {"3 of 3 to correct", 390}} {
		w.do(click(`button[value="next"]`))
		w.until(`document.querySelector("#place")?.textContent === "` + step.place + `"`)
		w.until(`document.activeElement.name === "cell:Price" && document.activeElement.ariaInvalid === "true"`)
		w.do(chromedp.EmulateViewport(step.width, 844))
	}
}
