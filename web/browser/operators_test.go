//go:build all

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestOperators runs the acts of an operator on a row that fails again and again, and whose key is hostile. The
// operator finds the row, kills its key, pauses the queue, and requeues the key.
func TestOperators(t *testing.T) {
	t.Parallel()
	url, browser := serve(t), startBrowser(t)
	w := openWindow(t, browser)
	w.do(chromedp.Navigate(url + "/ops"))
	w.says("3 queues run as expected")
	w.until(`document.querySelectorAll("#charts canvas").length === 3`)

	const key = `<img src=x onerror=alert(1)>`
	text := "SKU,Name,Price,Brand,Note\n" + key + ",a,1,Acme,!later\nB,b,2,Acme,\n"
	file := w.file("bad.csv", text)
	second := openWindow(t, browser)
	second.do(chromedp.Navigate(url))
	second.upload(file)
	second.until(`location.pathname.includes("/tasks/")`)

	w.eval("window.kept = true")
	w.until(productsQueue + `.querySelector("td:nth-of-type(3)").textContent === "1"`) // a retry waits
	w.until("window.kept")                                                             // the page was not loaded again
	w.until(`document.querySelector("#history tbody tr:last-child").cells[2].dataset.v === "1"`)
	w.do(click(`#queues a[href$="/products.import"]`))
	w.do(click(`nav a[href$="/waiting"]`))
	w.says(key)
	w.do(click("[data-all]"), click(`button[value="kill-failed"]`))
	w.says("1 key of your tenant in Products will be moved to the dead jobs")
	w.do(click("button.danger"))
	w.says("1 key killed.")
	w.do(click(`nav a[href$="/morgue"]`))
	w.says(key)
	w.do(click("details summary"))
	w.says("requested by the note !later")
	second.says("Finished, 1 row with a system error")

	w.do(click(`nav.tabs a[href$="/products.import"]`), click(`form[action$="/pause"] button`))
	w.says("No job of this queue starts")
	w.do(click("button.danger"))
	w.says("Paused")
	w.do(click(`nav a[href$="/morgue"]`), click(`[name="all"] ~ p button[value="requeue"]`))
	w.says("1 key of your tenant in Products will be moved from the dead jobs back")
	w.do(click("button.danger"))
	w.says("1 key requeued.")
	w.do(chromedp.Navigate(url + "/ops/audit"))
	w.says("requeue")
	testViewer(w, url)
}

// TestOperators_PausedQueue_ResumesWithOneClick: the overview shows the cause and the reason, and its
// button resumes the queue. A job is one click away from a list of keys, and can be found by
// search.
func TestOperators_PausedQueue_ResumesWithOneClick(t *testing.T) {
	t.Parallel()
	url := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(url + "/ops/queues/products.import"))
	w.do(click(`form[action$="/pause"] button`))
	w.do(chromedp.SendKeys(chromedp.ID("note"), "Wrong prices"), click("button.danger"))
	w.says("The queue is paused")
	w.do(chromedp.Navigate(url + "/ops"))
	w.says("1 of 3 queues needs attention")
	w.says("Wrong prices")
	w.do(click(`.alarm button.primary`))
	w.says("3 queues run as expected")
	w.until(`location.pathname === "/ops"`)

	file := w.file("later.csv", "SKU,Name,Price,Brand,Note\nL-1,a,1,Acme,!later\nL-1,b,2,Acme,\n")
	w.do(chromedp.Navigate(url))
	w.upload(file)
	w.until(`location.pathname.startsWith("/tasks/")`)
	w.do(chromedp.Navigate(url + "/ops"))
	w.until(productsQueue + `.querySelector("td:nth-of-type(3)").textContent === "1"`) // a retry waits
	w.do(chromedp.Navigate(url + "/ops/queues/products.import/waiting"))
	w.says("L-1")
	w.do(click("details summary"), click(`details a[href^="/ops/rows/"]`))
	w.says("Will be tried again")
	w.says("requested by the note !later")
	w.says("Row 3 of later.csv")
	w.do(chromedp.Navigate(url + "/ops/rows"))
	w.do(chromedp.SendKeys(chromedp.ID("find"), "L-1"), click(".find button"))
	w.says("Rows with the key L-1")
}
