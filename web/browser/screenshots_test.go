//go:build screenshots

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shots is where the pictures go.
const shots = "../../screenshots"

// TestScreenshots takes a picture of every page, in both themes, on a desktop and
// on a phone, and has axe look at each: make screenshots.
func TestScreenshots(t *testing.T) {
	if err := os.MkdirAll(shots, 0o755); err != nil {
		t.Fatal(err)
	}
	axe := axeSource(t)
	w := openWindow(t, startBrowser(t))
	w.refused = true // a page that is not there
	url := serve(t)
	w.do(chromedp.Navigate(url))
	w.picture("home-empty")
	pages := w.fill(url)
	w.forReadme(url, pages)
	pages = append(pages, w.fillOps(url)...)
	for _, p := range pages {
		for _, theme := range []string{"light", "dark"} {
			w.theme(theme)
			for size, width := range map[string]int64{"desktop": 1280, "phone": 390} {
				w.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(url+p.path))
				if p.then != nil {
					p.then(w)
				}
				w.picture(p.name + "-" + theme + "-" + size)
				w.judge(axe, p.name+" "+theme+" "+size)
			}
		}
	}
}

// forReadme takes the pictures that docs/pictures keeps: of what is seen without
// scrolling, on a small screen.
func (w *window) forReadme(url string, pages []shot) {
	w.t.Helper()
	w.do(chromedp.EmulateViewport(1000, 620))
	for _, p := range pages {
		theme := map[string]string{"task": "light", "repair": "light", "check": "dark"}[p.name]
		if theme == "" {
			continue
		}
		w.theme(theme)
		w.do(chromedp.Navigate(url + p.path))
		if p.then != nil {
			p.then(w)
		}
		b, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(shots, "readme-"+p.name+".png"), b, 0o644)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// axeSource is the code of axe-core, of which npm keeps a copy.
func axeSource(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts").CombinedOutput()
	if err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	b, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// shot is a page, and what is done on it before the picture is taken.
type shot struct {
	name, path string
	then       func(*window)
}

// fill imports files, so that each page has something to show.
func (w *window) fill(url string) []shot {
	w.t.Helper()
	at := func() string {
		path, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.pathname + location.search"))
		if err != nil {
			w.t.Fatal(err)
		}
		return path
	}
	sample, err := filepath.Abs("../../testdata/products.xlsx")
	if err != nil {
		w.t.Fatal(err)
	}
	w.upload(sample)
	w.says("Finished, 20 rows need correction")
	done := at()
	w.do(chromedp.Navigate(url))
	w.upload(badRows(w))
	w.says("Finished, 300 rows need correction")
	bad := at()
	w.do(chromedp.Navigate(url), chromedp.SetUploadFiles(chromedp.ID("file"), []string{sample}))
	w.do(chromedp.Click(chromedp.CSS("button.second")))
	w.says("How the file is understood")
	check := at()
	return []shot{
		{"home", "/", nil},
		{"task", done, nil},
		{"repair", done + "/repair", editing},
		{"repair-many", bad + "/repair", nil},
		{"bulk", bad + "/repair", asking},
		{"row", done + "/rows/34", nil},
		{"check", check, nil},
		{"exports", "/exports", nil},
		{"export", w.exported(url), nil},
		{"sign-in", "/sign-in", nil},
		{"not-found", "/nothing", nil},
		{"docs", "/docs", nil},
	}
}

// exported has a file made, and returns where its task is.
func (w *window) exported(url string) string {
	w.t.Helper()
	w.do(chromedp.Navigate(url+"/exports"), chromedp.Click(chromedp.CSS("button[type=submit]")))
	w.until(`document.querySelector(".downloads a")`)
	path, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.pathname"))
	if err != nil {
		w.t.Fatal(err)
	}
	return path
}

// editing opens a cell of the grid.
func editing(w *window) {
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.eval(`document.querySelector("#grid [aria-invalid]").dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }))`)
	w.keys(kb.F2)
}

// asking has the page ask about many rows.
func asking(w *window) {
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-busy") === "false"`)
	w.eval(`document.querySelectorAll("#bulk details")[0].open = true; document.getElementById("of").value = "Price";
		document.getElementById("value").value = "12.50"; document.querySelector("#bulk [value=set]").click()`)
	w.says("Do it")
}

func (w *window) theme(name string) {
	w.t.Helper()
	w.eval(`window.changed = false; fetch("/look", { method: "POST", body: new URLSearchParams({ theme: "` + name + `" }) }).then(() => (window.changed = true))`)
	w.until("window.changed")
}

func (w *window) picture(name string) {
	w.t.Helper()
	b, err := chromedp.Run(w.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(shots, name+".png"), b, 0o644)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// judge has axe look at the page.
func (w *window) judge(axe, name string) {
	w.t.Helper()
	w.eval(axe + "; true")
	w.eval(`window.found = undefined; axe.run().then((r) => (window.found = r.violations.map((v) =>
		v.id + ": " + v.help + "\n    " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join("\n    ")).join("\n  ")))`)
	w.until("window.found !== undefined")
	found, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("window.found"))
	if err != nil || strings.TrimSpace(found) != "" {
		w.t.Errorf("%s: %v\n  %s", name, err, found)
	}
}

// TestTenThousandRows scrolls through as many bad rows and tells the longest task
// of the page meanwhile.
func TestTenThousandRows(t *testing.T) {
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(serve(t)))
	path := filepath.Join(t.TempDir(), "many.csv")
	text := "SKU,Name,Price,Brand\n"
	var b strings.Builder
	b.WriteString(text)
	for i := range 10_000 {
		fmt.Fprintf(&b, "S%d,name of a product that is not short,no%d,Acme\n", i, i)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w.upload(path)
	w.says("10,000")
	w.until(`document.querySelector("a.main")`)
	w.until(`document.querySelector("#task .status").textContent.includes("Nothing was imported")`)
	w.do(chromedp.Click(chromedp.CSS("a.main")))
	w.until(`document.querySelector("#grid [role=grid]")?.getAttribute("aria-rowcount") === "10001"`)
	before := w.busy()
	w.eval(`window.longest = 0; window.frames = 0; window.slow = 0;
		new PerformanceObserver((l) => l.getEntries().forEach((e) => (window.longest = Math.max(window.longest, e.duration)))).observe({ type: "longtask" });
		const box = document.querySelector(".scroller"); let last = performance.now();
		const step = (now) => { window.slow = Math.max(window.slow, now - last); last = now; window.frames++;
			box.scrollTop += 3000; if (box.scrollTop < box.scrollHeight - box.clientHeight - 1) requestAnimationFrame(step); else window.over = true; };
		requestAnimationFrame(step)`)
	w.until("window.over")
	told, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](
		"`${frames} frames, the longest ${slow.toFixed(0)} ms, the longest task over 50 ms: ${longest.toFixed(0)} ms`"))
	t.Logf("%s; %.0f ms of a processor in all; %v", told, 1000*(w.busy()-before), err)
}

// busy is how long the page has kept a processor, in seconds, whatever else
// the machine does.
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
