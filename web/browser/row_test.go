//go:build all

package browser

import (
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func init() {
	stories["row on a phone"] = testRowOnAPhone
	stories["without script"] = testWithoutScript
}

// testRowOnAPhone corrects rows one after another in the form of a row, on a phone and on a wide screen. The bar
// has one line of buttons. After each step, the focus is in the faulty field, and the page shows the place of the
// row among the rows to correct. The browser asks before the user leaves unsaved values, except with a button of the
// form.
func testRowOnAPhone(w *window, _ string) {
	w.upload(w.file("phone.csv", "SKU,Name,Price,Brand\nPH1,n,one,Acme\nPH2,n,two,Acme\nPH3,n,three,Acme\nPH4,n,4,Acme\n"))
	w.until(`document.querySelector("#task .status")?.textContent.startsWith("Finished")`)
	w.do(chromedp.EmulateViewport(390, 844))
	w.eval(`location.assign(location.pathname + "/rows/1")`)
	w.until(`document.querySelector("#place")?.textContent === "To correct: 1 of 3"`)
	oneLine := func() {
		w.t.Helper()
		w.until(`document.querySelector(".one .under").offsetHeight <= 72`)
		w.until(`new Set([...document.querySelectorAll(".under > button, .under summary")].filter((one) => one.offsetHeight)
			.map((one) => Math.round(one.getBoundingClientRect().top))).size === 1`)
		w.until(`document.documentElement.scrollWidth <= innerWidth`)
	}
	oneLine()
	w.do(click("#fold-skip summary"))
	w.until(`[...document.querySelectorAll("#fold-skip button")].some((one) => one.value === "resubmit" && one.offsetHeight)
		&& document.querySelector("#fold-skip .pop").getBoundingClientRect().bottom <= innerHeight`)
	w.do(click("#fold-skip summary"))
	asks := `!dispatchEvent(new Event("beforeunload", { cancelable: true }))`
	w.until(`!` + asks)
	w.do(chromedp.SetValue("[aria-invalid]", "7"))
	w.until(asks)
	w.do(chromedp.SetValue("[aria-invalid]", "one"))
	w.until(`!` + asks)
	w.do(click("[aria-invalid]"), chromedp.SendKeys("[aria-invalid]", "8")) // the next step sends it
	w.until(asks)
	for _, step := range []struct {
		place string
		width int64
	}{{"To correct: 2 of 3", 1280}, {"To correct: 3 of 3", 390}} {
		w.do(click(`button[value="next"]`))
		w.until(`document.querySelector("#place")?.textContent === "` + step.place + `"`)
		w.until(`document.activeElement.name === "cell:Price" && document.activeElement.ariaInvalid === "true"`)
		oneLine()
		w.do(chromedp.EmulateViewport(step.width, 844))
	}
}

// testWithoutScript opens pages in a browser that runs no scripts. The label of the file stands above its field, and
// invalid cells have a colour of their own.
func testWithoutScript(w *window, url string) {
	w.upload(w.file("plain.csv", "SKU,Name,Price,Brand\nPL1,n,one,Acme\nPL2,n,2,Acme\n"))
	w.until(`document.querySelector("#task .status")?.textContent.startsWith("Finished")`)
	w.eval(`location.assign(location.pathname + "/repair")`)
	w.until(`document.querySelector("#grid [role=grid]")`)
	w.scripts(false)
	defer w.scripts(true)
	w.eval(`location.reload()`)
	w.until(`document.querySelector("html:not(.scripted) td.faulty")`)
	w.until(`getComputedStyle(document.querySelector("td.faulty")).backgroundColor
		!== getComputedStyle(document.querySelector("td.faulty").previousElementSibling).backgroundColor`)
	w.do(chromedp.Navigate(url + "/imports/new"))
	w.until(`document.querySelector('label[for="file"]').getBoundingClientRect().bottom <= document.getElementById("file").getBoundingClientRect().top`)
}

// scripts enables or disables the scripts of pages.
func (w *window) scripts(on bool) {
	w.t.Helper()
	_, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
	if err != nil {
		w.t.Fatal(err)
	}
}
