package web

import (
	"bytes"
	"embed"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// pagePolicy lets a page load its own style and script, and nothing else.
const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; " +
	"connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

//go:embed pages/*.html
var pageFiles embed.FS

// pages shows to people what the API tells to programs.
type pages struct {
	*Server
	static *static
	manual docsTexts
}

func newPages(s *Server) *pages {
	return &pages{Server: s, static: assets(), manual: docsTexts{made: map[[2]string]docsText{}}}
}

// languages returns the pages of each language by file name; each holds the layout. A
// process parses a language once, for all its servers.
var languages = parsers()

func parsers() map[tongue]func() map[string]*template.Template {
	out := map[tongue]func() map[string]*template.Template{}
	for _, lang := range words.Languages() {
		out[tongue(lang)] = sync.OnceValue(tongue(lang).parse)
	}
	return out
}

// gate lets nobody past without the credential that the path asks for.
func (p *pages) gate(c *gin.Context) {
	if forPrograms(c.Request.URL.Path) {
		p.handle(p.admit)(c)
	} else {
		p.page(p.admitReader)(c)
	}
	if c.Writer.Written() {
		c.Abort() // it was refused
	}
}

// forPrograms tells whether a program reads what is at a path.
func forPrograms(path string) bool {
	return strings.HasPrefix(path, "/api/") || slices.Contains([]string{"/healthz", "/readyz", metricsPath, contractPath}, path)
}

// parse reads each page in a language, together with the layout and the parts.
func (in tongue) parse() map[string]*template.Template {
	base := template.New("").Funcs(template.FuncMap{
		"asset": assets().url, "shown": shown, "clip": clip, "prose": prose, "deref": textutil.Deref[string],
		"say": in.say, "num": in.number, "spoken": in.spoken, "rate": in.rate, "bytes": in.byteSize,
		"moment": in.moment,
	})
	template.Must(base.ParseFS(pageFiles, "pages/layout.html", "pages/parts.html", "pages/ops_parts.html"))
	out := map[string]*template.Template{}
	for _, name := range append(opsTemplates(),
		"home.html", "task.html", "corrected.html", "problem.html", "signin.html", "docs.html",
		"repair.html", "row.html", "bulk.html", "check.html", "exports.html",
	) {
		t := template.Must(base.Clone())
		out[name] = template.Must(t.ParseFS(pageFiles, "pages/"+name))
	}
	return out
}

// render writes a page whole or not at all.
func (p *pages) render(c *gin.Context, status int, name string, view any) error {
	html, err := newFrame(c, view).html(name)
	if err != nil {
		return err
	}
	if c.Writer.Header().Get("Cache-Control") == "" {
		c.Header("Cache-Control", "private, no-cache")
	}
	c.Data(status, htmlMedia, html)
	return nil
}

// htmlMedia is the media type of a page.
const htmlMedia = "text/html; charset=utf-8"

// html returns a page.
func (f frame) html(name string) ([]byte, error) {
	var b bytes.Buffer
	err := languages[tongue(f.Lang)]()[name].ExecuteTemplate(&b, "layout", f)
	return b.Bytes(), err
}

// page turns a handler into one of Gin's. Its errors become pages.
func (p *pages) page(h handler) gin.HandlerFunc {
	return p.answering(func(c *gin.Context) error {
		c.Header("Content-Security-Policy", pagePolicy)
		// The browser's own form has no origin to show without a referrer.
		c.Header("Referrer-Policy", "same-origin")
		return h(c)
	}, p.apologize)
}

// apologize answers with the page of a problem.
func (p *pages) apologize(c *gin.Context, prob *problem.Problem) {
	if c.Writer.Written() {
		answer(c, prob) // breaks off what has begun
	}
	if prob.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(prob.RetryAfter))
	}
	if err := p.render(c, prob.Status, "problem.html", problemPage(c, prob)); err != nil {
		answer(c, p.classify(c, err))
	}
}

// forReader answers with a page to whoever reads pages, else as the API does.
func (p *pages) forReader(prob *problem.Problem) gin.HandlerFunc {
	fail := func(*gin.Context) error { return prob }
	asPage, asJSON := p.page(fail), p.handle(fail)
	return func(c *gin.Context) {
		api := strings.HasPrefix(c.Request.URL.Path, "/api/")
		if !api && strings.Contains(c.GetHeader("Accept"), "text/html") {
			asPage(c)
			return
		}
		asJSON(c)
	}
}
