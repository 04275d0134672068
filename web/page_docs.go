package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
)

const docsPath = "/docs"

// docsText is a rendered page of the contract.
type docsText struct {
	html []byte
	tag  string // ETag of html
}

// docsKey holds the settings in which rendered pages of the contract differ: the language, the theme, and
// the base path of the links.
type docsKey struct{ lang, theme, base string }

// mostDocs bounds the number of cached pages, because a proxy may send any number of different base
// paths.
const mostDocs = 64

// docsTexts is a cache of the rendered pages.
type docsTexts struct {
	mu   sync.Mutex
	made map[docsKey]docsText // at most mostDocs
}

// docs serves GET /docs, the page that shows the contract.
func (s *Server) docs(c *gin.Context) error {
	text, err := s.docsText(c)
	if err != nil {
		return err
	}
	c.Header("ETag", text.tag)
	c.Header("Cache-Control", "private, no-cache")
	if input.IfNoneMatch(c.Request.Header, text.tag) {
		c.Status(http.StatusNotModified)
		return nil
	}
	c.Data(http.StatusOK, render.HTMLMedia, text.html)
	return nil
}

// problemType serves GET /problems/{name}, the type of a problem. It redirects to the description of
// the code on the page of the contract.
func (s *Server) problemType(c *gin.Context) error {
	code := strings.ToUpper(strings.ReplaceAll(c.Param("name"), "-", "_"))
	if !slices.ContainsFunc(problem.Codes, func(known problem.Code) bool { return known.Code == code }) {
		return problem.ErrNoPath
	}
	c.Redirect(http.StatusSeeOther, docsPath+"#code-"+code)
	return nil
}

// docsText returns the page of the contract in the language, theme and base path of a request.
func (s *Server) docsText(c *gin.Context) (docsText, error) {
	doc, err := theContract()
	if err != nil {
		return docsText{}, err
	}
	f := render.NewFrame(c, doc.page)
	f.To = docsPath // NewFrame sets the path for GET only
	key := docsKey{f.Lang, f.Theme, base.Of(c.Request.Context())}
	s.manual.mu.Lock()
	defer s.manual.mu.Unlock()
	if text, ok := s.manual.made[key]; ok {
		return text, nil
	}
	html, err := f.HTML("docs.html")
	if err != nil {
		return docsText{}, err
	}
	sum := sha256.Sum256(html)
	text := docsText{html, `"` + hex.EncodeToString(sum[:8]) + `"`}
	if len(s.manual.made) < mostDocs {
		s.manual.made[key] = text
	}
	return text, nil
}
