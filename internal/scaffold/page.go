package scaffold

import (
	"bytes"
	"embed"
	"go/format"
	"strconv"
	"strings"
	"text/template"
)

//go:embed templates
var files embed.FS

var templates = template.Must(template.ParseFS(files, "templates/*.tmpl"))

// page holds the values that the templates insert.
type page struct {
	Kind, Package string
	Func, Row     string // names of the function and of the struct
	Key           string // field of the ordering key; empty if none
	Sample        string // path of the sample, from the package
	Columns       []column
	Rows          int // of the file, up to typeRows
}

// setNames derives the names of the function and of the struct from the kind. For invoices.book they are
// InvoicesBook and InvoicesBookRow.
func (p *page) setNames() {
	p.Func = camel(strings.NewReplacer(".", " ", "_", " ", "-", " ").Replace(p.Kind))
	p.Row = p.Func + "Row"
}

// Finished returns the number of rows in the written sample file.
func (p page) Finished() int { return min(p.Rows, sampleRows) }

// Uses reports whether the type of a column begins with `prefix`, such as "time.".
func (p page) Uses(prefix string) bool {
	for _, c := range p.Columns {
		if strings.HasPrefix(c.Type, prefix) {
			return true
		}
	}
	return false
}

// GoType returns the type of the field: a pointer for a number that may be blank.
func (c column) GoType() string {
	if !c.Required && (c.Type == "int64" || c.Type == "decimal.Decimal") {
		return "*" + c.Type
	}
	return c.Type
}

// Tag returns the tag of the field as a Go literal.
func (c column) Tag() string {
	tag := "row:" + strconv.Quote(c.Heading)
	if c.Key {
		tag += ` key:"true"`
	}
	if c.Required {
		tag += ` validate:"required"`
	}
	if c.Example != "" {
		tag += " example:" + strconv.Quote(c.Example)
	}
	if strings.Contains(tag, "`") {
		return strconv.Quote(tag)
	}
	return "`" + tag + "`"
}

// render executes a template with the values of p, and returns the formatted Go code.
func (p page) render(name string) ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, p); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}
