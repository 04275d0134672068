package web

import (
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/input"
)

// docsPath is where the contract is served as a page.
const docsPath = "/docs"

// docsText is the page of the contract in one look.
type docsText struct {
	html []byte
	tag  string // its ETag
}

// docsTexts are the pages that were made. Each language in each theme is made once.
type docsTexts struct {
	mu   sync.Mutex
	made map[[2]string]docsText
}

// docs serves GET /docs: the contract as a page.
func (p *pages) docs(c *gin.Context) error {
	text, err := p.docsText(c)
	if err != nil {
		return err
	}
	c.Header("ETag", text.tag)
	c.Header("Cache-Control", "private, no-cache")
	if input.IfNoneMatch(c.Request.Header, text.tag) {
		c.Status(http.StatusNotModified)
		return nil
	}
	c.Data(http.StatusOK, htmlMedia, text.html)
	return nil
}

// docsText returns the page in the look of a request.
func (p *pages) docsText(c *gin.Context) (docsText, error) {
	doc, err := theContract()
	if err != nil {
		return docsText{}, err
	}
	f := newFrame(c, doc.page)
	f.To = docsPath // of HEAD, too
	look := [2]string{f.Lang, f.Theme}
	p.manual.mu.Lock()
	defer p.manual.mu.Unlock()
	if text, ok := p.manual.made[look]; ok {
		return text, nil
	}
	html, err := f.html("docs.html")
	if err != nil {
		return docsText{}, err
	}
	sum := sha256.Sum256(html)
	text := docsText{html, `"` + hex.EncodeToString(sum[:8]) + `"`}
	p.manual.made[look] = text
	return text, nil
}

// prose is a text of the contract, in which backquotes mark code.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String()) //nolint:gosec // each part is escaped
}
