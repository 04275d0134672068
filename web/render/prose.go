package render

import (
	"html/template"
	"strings"
)

// prose returns a text of the OpenAPI document as HTML. Parts in backquotes become code.
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
