package render

import (
	"bytes"
	"embed"
	"html/template"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// opsTemplates returns the template files of the operators' pages.
func opsTemplates() []string {
	return []string{
		"ops_home.html", "ops_queue.html", "ops_keys.html", "ops_hot.html", "ops_nodes.html", "ops_ask.html",
		"ops_webhooks.html", "ops_deliveries.html", "ops_limits.html", "ops_access.html", "ops_key.html", "ops_audit.html",
		"ops_tasks.html", "ops_row.html", "ops_find.html", "ops_errors.html", "ops_error.html", "ops_schedules.html", "ops_tenants.html", "ops_tenant.html",
	}
}

//go:embed templates/*.html
var pageFiles embed.FS

// languages holds, for each language, a function that returns the parsed pages by file name. Each page
// includes the layout. All servers of a process share the parsed pages.
var languages = parsers()

func parsers() map[locale.Printer]func() map[string]*template.Template {
	out := map[locale.Printer]func() map[string]*template.Template{}
	for _, lang := range words.Languages() {
		out[locale.Printer(lang)] = sync.OnceValue(func() map[string]*template.Template { return parsePages(locale.Printer(lang)) })
	}
	return out
}

// parsePages parses the template of each page for a language, together with the layout and the shared
// parts.
func parsePages(in locale.Printer) map[string]*template.Template {
	shared := template.New("").Funcs(template.FuncMap{
		"asset": Assets().url, "icon": icon, "shown": Shown, "clip": Clip, "prose": prose, "deref": textutil.Deref[string],
		"say": in.Text, "num": in.Number, "spoken": in.Duration, "rate": in.Rate, "bytes": in.Bytes,
		"ago":    func(at any) string { return in.Ago(at, time.Now()) }, // like the script, which replaces it
		"moment": in.Time, "exact": in.Exact, "whole": func(n float64) int64 { return int64(n) },
		"add":    func(a, b int) int { return a + b },
		"steps":  func() []string { return []string{"file", "columns", "outlook", "import"} },
		"around": in.Around, "fill": in.Template, "card": newCardView,
	})
	template.Must(shared.ParseFS(pageFiles, "templates/layout.html", "templates/parts.html", "templates/ops_parts.html"))
	out := map[string]*template.Template{}
	for _, name := range opsTemplates() {
		t := template.Must(shared.Clone())
		out[name] = template.Must(t.ParseFS(pageFiles, "templates/ops_style.html", "templates/"+name))
	}
	for _, name := range []string{
		"home.html", "task.html", "problem.html", "signin.html", "docs.html", "upload.html", "columns.html", "mappings.html",
		"repair.html", "row.html", "bulk.html", "check.html", "exports.html",
	} {
		t := template.Must(shared.Clone())
		out[name] = template.Must(t.ParseFS(pageFiles, "templates/"+name))
	}
	return out
}

// cardView holds the data of a page and of one card on it.
type cardView struct{ View, Card any }

func newCardView(view, card any) cardView { return cardView{view, card} }

// Page sends a page, or returns the error of its template and sends nothing. A response with status
// 200 has an ETag, unless the request was a POST. If the browser has the same page in its cache,
// Page sends status 304 without a body instead.
func (p *Renderer) Page(c *gin.Context, status int, name string, view any) error {
	html, err := NewFrame(c, view).HTML(name)
	if err != nil {
		return err
	}
	if c.Writer.Header().Get("Cache-Control") == "" {
		c.Header("Cache-Control", "private, no-cache")
	}
	sendPage(c, status, html)
	return nil
}

// HTMLMedia is the Content-Type of pages.
const HTMLMedia = "text/html; charset=utf-8"

// HTML renders the template with this name in the frame, and returns the page.
func (f frame) HTML(name string) ([]byte, error) {
	var b bytes.Buffer
	err := languages[locale.Printer(f.Lang)]()[name].ExecuteTemplate(&b, "layout", f)
	return base.Page(b.Bytes(), f.base), err
}
