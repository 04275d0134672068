//go:build screenshots

package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// shots is the folder of the pictures.
const shots = "../../screenshots"

// TestScreenshots takes a picture of every page, in both themes and three widths, and has axe check each page.
// `make screenshots` runs it.
func TestScreenshots(t *testing.T) {
	if err := os.MkdirAll(shots, 0o755); err != nil {
		t.Fatal(err)
	}
	axe := axeSource(t)
	w := openWindow(t, startBrowser(t))
	w.refused = true // one page does not exist
	url := serve(t)
	w.do(chromedp.Navigate(url))
	w.picture("home-empty")
	pages := w.fill(url, badRows(w), 300)
	w.forReadme(url, pages)
	pages = append(pages, w.fillOps(url)...)
	for _, p := range pages {
		for _, theme := range []string{"light", "dark"} {
			w.theme(theme)
			for size, width := range map[string]int64{"desktop": 1280, "tablet": 820, "phone": 390} {
				w.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(url+p.path))
				if p.then != nil {
					p.then(w)
				}
				w.picture(p.name + "-" + theme + "-" + size)
				w.eval(axe + "; true")
				w.judge(p.name+" "+theme+" "+size, false)
			}
		}
	}
}

// forReadme takes the pictures of docs/pictures: what is visible without scrolling, on a small
// screen.
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
