//go:build speed

package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// sittings is the number of measurements of each figure.
const sittings = 5

// TestSpeed logs how long pages take until they react to a key, and the longest task of the grid
// while it scrolls through 10,000 rows. It has no limits.
func TestSpeed(t *testing.T) {
	url, browser := serve(t), startBrowser(t)
	task := manyRows(openWindow(t, browser), url)
	for _, p := range []struct{ name, path, sign string }{
		{"home", "/", "html.scripted .imports"},
		{"task", task, "html.scripted #task"},
		{"grid", task + "/repair", `#grid td[tabindex="0"]`},
		{"operators", "/ops", "html.scripted #queues td"},
	} {
		measured := map[string][]float64{}
		sit(t, func(t *testing.T) { openWindow(t, browser).opens(url+p.path, p.sign, measured) })
		t.Logf("%s: %s", p.name, ranges(measured))
	}
	measured := map[string][]float64{}
	sit(t, func(t *testing.T) {
		w := openWindow(t, browser)
		w.do(chromedp.Navigate(url + task + "/repair"))
		w.scrolls(measured)
	})
	t.Logf("scrolling: %s", ranges(measured))
}

// sit takes measurements. It closes the window of each before the next, because a page in the
// background keeps working.
func sit(t *testing.T, measure func(*testing.T)) {
	t.Helper()
	for i := range sittings {
		t.Run(strconv.Itoa(i+1), measure)
	}
}

// manyRows imports 10,000 rows, all of which fail, and returns the path of their task.
func manyRows(w *window, url string) string {
	w.t.Helper()
	var b strings.Builder
	b.WriteString("SKU,Name,Price,Brand\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "S%d,name of a product that is not short,no%d,Acme\n", i, i)
	}
	path := w.file("many.csv", b.String())
	w.do(chromedp.Navigate(url))
	w.upload(path)
	w.until(`document.querySelector("#task .status")?.textContent.includes("Nothing was imported")`)
	return value[string](w, "location.pathname")
}

// opening records when the page is usable. The part that people work with is then in the document, and the page
// has handled a message that it posted to itself afterwards.
const opening = `
	window.longest = 0;
	new PerformanceObserver((l) => l.getEntries().forEach((e) => (window.longest = Math.max(window.longest, e.duration))))
		.observe({ type: "longtask", buffered: true });
	const look = () => {
		if (!document.querySelector(SIGN)) return requestAnimationFrame(look);
		const after = new MessageChannel();
		after.port1.onmessage = () => (window.usable = performance.now());
		after.port2.postMessage(0);
	};
	requestAnimationFrame(look);`

// opens opens a page that the browser has never loaded.
func (w *window) opens(address, sign string, measured map[string][]float64) {
	w.t.Helper()
	_, err := chromedp.Call(w.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	if err == nil {
		script := "const SIGN = " + fmt.Sprintf("%q", sign) + ";" + opening
		_, err = chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: "{" + script + "}"})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.do(chromedp.Navigate(address))
	w.until("window.usable")
	for name, what := range map[string]string{
		"usable ms": "usable", "first byte ms": `performance.getEntriesByType("navigation")[0].responseStart`,
		"painted ms":      `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`,
		"longest task ms": "longest",
	} {
		measured[name] = append(measured[name], value[float64](w, what))
	}
}

// scrolls scrolls through the grid, by four heights of its window a frame, so that no row is seen twice. It measures
// the processor time of the whole page, which does not depend on other programs.
func (w *window) scrolls(measured map[string][]float64) {
	w.t.Helper()
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "10001"`)
	w.eval(`window.longest = 0;
		new PerformanceObserver((l) => l.getEntries().forEach((e) => (window.longest = Math.max(window.longest, e.duration)))).observe({ type: "longtask" });
		window.box = document.querySelector(".scroller");
		window.step = () => {
			window.drawn = false;
			box.scrollTop += 4 * box.clientHeight;
			requestAnimationFrame(() => setTimeout(() => (window.drawn = true)));
		};`)
	most, before := 0.0, w.busy()
	for value[float64](w, "box.scrollHeight - box.clientHeight - box.scrollTop") > 1 {
		w.eval("step()")
		w.until("drawn")
		now := w.busy()
		most, before = max(most, 1000*(now-before)), now
	}
	measured["longest task ms"] = append(measured["longest task ms"], value[float64](w, "longest"))
	measured["most processor of a frame ms"] = append(measured["most processor of a frame ms"], most)
}

// ranges returns the minimum, the median and the maximum of each figure.
func ranges(measured map[string][]float64) string {
	var out []string
	for name, list := range measured {
		slices.Sort(list)
		out = append(out, fmt.Sprintf("%s %.0f %.0f %.0f", name, list[0], list[len(list)/2], list[len(list)-1]))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// busy returns the processor time of the page in seconds.
func (w *window) busy() float64 {
	w.t.Helper()
	_, err := chromedp.Call(w.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	if err != nil {
		w.t.Fatal(err)
	}
	got, err := chromedp.Call(w.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range got.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value
		}
	}
	return 0
}
