package render

import (
	"bytes"
	"embed"
	"html/template"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// opsTemplates returns the files of the operators' pages.
func opsTemplates() []string {
	return []string{
		"ops_home.html", "ops_queue.html", "ops_keys.html", "ops_hot.html", "ops_nodes.html", "ops_ask.html",
		"ops_webhooks.html", "ops_deliveries.html", "ops_limits.html", "ops_access.html", "ops_key.html", "ops_audit.html",
		"ops_tasks.html", "ops_row.html", "ops_find.html", "ops_errors.html", "ops_error.html", "ops_schedules.html", "ops_tenants.html", "ops_tenant.html",
	}
}

//go:embed templates/*.html
var pageFiles embed.FS

// languages returns the pages of each language by file name; each holds the layout. A
// process parses a language once, for all its servers.
var languages = parsers()

func parsers() map[locale.Printer]func() map[string]*template.Template {
	out := map[locale.Printer]func() map[string]*template.Template{}
	for _, lang := range words.Languages() {
		out[locale.Printer(lang)] = sync.OnceValue(func() map[string]*template.Template { return parsePages(locale.Printer(lang)) })
	}
	return out
}

// parsePages reads each page in a language, together with the layout and the parts.
func parsePages(in locale.Printer) map[string]*template.Template {
	shared := template.New("").Funcs(template.FuncMap{
		"asset": Assets().url, "icon": icon, "shown": Shown, "clip": Clip, "prose": prose, "deref": textutil.Deref[string],
		"say": in.Text, "num": in.Number, "spoken": in.Duration, "rate": in.Rate, "bytes": in.Bytes,
		"moment": in.Time, "exact": in.Exact, "whole": func(n float64) int64 { return int64(n) },
		"add":    func(a, b int) int { return a + b },
		"steps":  func() []string { return []string{"file", "columns", "outlook", "import"} },
		"around": in.Around, "fill": in.Template, "card": newCardView,
	})
	template.Must(shared.ParseFS(pageFiles, "templates/layout.html", "templates/parts.html", "templates/ops_parts.html"))
	out := map[string]*template.Template{}
	for _, name := range append(opsTemplates(),
		"home.html", "task.html", "problem.html", "signin.html", "docs.html", "upload.html", "columns.html", "mappings.html",
		"repair.html", "row.html", "bulk.html", "check.html", "exports.html",
	) {
		t := template.Must(shared.Clone())
		out[name] = template.Must(t.ParseFS(pageFiles, "templates/"+name))
	}
	return out
}

// cardView is a card of a page, and the page.
type cardView struct{ View, Card any }

func newCardView(view, card any) cardView { return cardView{view, card} }

// Page writes a page whole or not at all. The page of a GET has an ETag.
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

// HTMLMedia is the media type of a page.
const HTMLMedia = "text/html; charset=utf-8"

// HTML returns a page.
func (f frame) HTML(name string) ([]byte, error) {
	var b bytes.Buffer
	err := languages[locale.Printer(f.Lang)]()[name].ExecuteTemplate(&b, "layout", f)
	return base.Page(b.Bytes(), f.base), err
}
