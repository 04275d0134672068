package templates

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// CSV writes comment lines with instructions, and below them the headings of a kind. The kind must have
// columns. If columns have examples, a comment line lists the examples. Above the headings, importers
// skip lines that begin with "# ". The file is UTF-8 with a byte order mark. It has the delimiter that
// Excel uses in the country of the language.
func CSV(w io.Writer, k jobs.Kind, lang string) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if lang == "ru" || lang == "vi" {
		out.Comma = ';'
	}
	var names, examples []string
	for i := range k.Schema.Fields {
		f := &k.Schema.Fields[i]
		names = append(names, f.Name)
		if f.Example != "" {
			examples = append(examples, f.Name+" = "+f.Example)
		}
	}
	lines := [][]string{{"# " + say(lang, "template.comment")}}
	if len(examples) > 0 {
		lines = append(lines, []string{"# " + say(lang, "template.example") + ": " + strings.Join(examples, " · ")})
	}
	return out.WriteAll(append(lines, names))
}
