package web

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// docs serves GET /docs: the contract as a page.
func (p *pages) docs(c *gin.Context) error {
	doc, err := theContract()
	if err != nil {
		return err
	}
	return p.render(c, http.StatusOK, "docs.html", doc.page)
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
