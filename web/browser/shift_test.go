//go:build all

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// shifting adds up how far the parts of a page move without an act of the user.
const shifting = `{
	window.shift = 0;
	window.moved = [];
	new PerformanceObserver((l) => l.getEntries().forEach((e) => {
		if (e.hadRecentInput) return;
		shift += e.value;
		moved.push(e.value.toFixed(3) + " " + e.sources.map((s) => s.node?.id || s.node?.className || s.node?.nodeName));
	})).observe({ type: "layout-shift", buffered: true });
}`

// TestPages_ScriptsComeAfterThePaint_LayoutStays holds the scripts of each page back until the page
// is painted, as a slow network does. What the scripts add must not move anything. Lighthouse calls
// 0.1 good. The space of the charts is reserved, so the overview moves only by the width of its
// times.
func TestPages_ScriptsComeAfterThePaint_LayoutStays(t *testing.T) {
	t.Parallel()
	service, browser := serve(t), startBrowser(t)
	w := openWindow(t, browser)
	w.do(chromedp.Navigate(service))
	w.upload(badRows(w))
	w.says("300 rows need a correction")
	task := value[string](w, "location.pathname")
	w.do(chromedp.Navigate(service + "/ops"))
	w.until(`document.querySelectorAll("#history tbody tr").length > 0`)
	for name, p := range map[string]struct {
		path, sign string
		most       float64
	}{
		"home":      {"/", "html.scripted .imports", 0.1},
		"task":      {task, "html.scripted #task", 0.1},
		"grid":      {task + "/repair", `#grid td[tabindex="0"]`, 0.1},
		"operators": {"/ops", "#charts figure:last-child canvas", 0.01},
	} {
		t.Run(name, func(t *testing.T) {
			late := holdScripts(t, service)
			w := openWindow(t, browser)
			w.do(chromedp.EmulateViewport(1350, 940)) // of Lighthouse
			w.paintsWithout(late, p.path)
			late.release()
			w.until(`document.querySelector('` + p.sign + `')`)
			w.frames(5)
			if shift := value[float64](w, "shift"); shift > p.most {
				t.Errorf("the page moves by %.3f, want at most %v: %s", shift, p.most, value[string](w, `moved.join("; ")`))
			}
		})
	}
}

// TestOverview_JobsStart_RowsKeepTheirHeight: a queue without jobs has the height of one whose jobs run. On a
// busy machine, the state of a queue has a reason for waiting for a moment, which takes one more line.
func TestOverview_JobsStart_RowsKeepTheirHeight(t *testing.T) {
	t.Parallel()
	service, browser := serve(t), startBrowser(t)
	w, other := openWindow(t, browser), openWindow(t, browser)
	w.do(chromedp.Navigate(service + "/ops"))
	w.until(`document.querySelector("#queues tbody tr") && document.querySelector("#workers tbody tr")`)
	const heights = `["queues", "workers"].map((id) => document.getElementById(id).offsetHeight).join(" ")`
	before := value[string](w, heights)
	other.do(chromedp.Navigate(service))
	other.upload(slowKeys(other, 500))
	w.until(`document.querySelector("#queues .runs > div") && document.querySelector("#workers .runs > div") && !document.querySelector("#queues td .quiet.small") && (window.after = ` + heights + `)`)
	if after := value[string](w, "after"); after != before {
		t.Errorf("queues and workers are %s pixels high, and %s when jobs run:\n%s", before, after, value[string](w, `document.getElementById("queues").innerText`))
	}
}

// slowKeys returns a file with rows of different keys. Each row runs for two seconds.
func slowKeys(w *window, rows int) string {
	var b strings.Builder
	b.WriteString("SKU,Name,Price,Brand,Note\n")
	for i := range rows {
		fmt.Fprintf(&b, "L%d,l,1,Acme,!slow\n", i)
	}
	return w.file("slow.csv", b.String())
}

// late is a proxy that holds scripts back until release is called.
type late struct {
	url     string
	release func()
}

func holdScripts(t *testing.T, service string) *late {
	t.Helper()
	to, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	held := make(chan struct{})
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".js") {
			<-held
		}
		proxy.ServeHTTP(w, r)
	}))
	l := &late{url: s.URL, release: sync.OnceFunc(func() { close(held) })}
	t.Cleanup(s.Close)
	t.Cleanup(l.release)
	return l
}

// paintsWithout opens a page and waits until its first paint, before its scripts run.
func (w *window) paintsWithout(late *late, path string) {
	w.t.Helper()
	_, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: shifting})
	if err != nil {
		w.t.Fatal(err)
	}
	w.eval(`location.assign("` + late.url + path + `")`)
	w.until(`location.pathname === "` + path + `" && performance.getEntriesByName("first-contentful-paint").length`)
	w.frames(2)
}

// frames waits until the page has drawn n frames.
func (w *window) frames(n int) {
	w.t.Helper()
	w.eval(`window.toDraw = ` + strconv.Itoa(n) + `; { const next = () => --toDraw > 0 && requestAnimationFrame(next); requestAnimationFrame(next); }`)
	w.until("toDraw <= 0")
}
