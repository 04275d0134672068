package importers

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// guarded handles apostrophes before texts that a spreadsheet would evaluate as formulas. Result files
// in CSV and TSV contain such apostrophes. In an uploaded result file guarded removes them. In another
// CSV or TSV file it keeps them, and adds a warning.
type guarded struct {
	src    *source.Table // nil for workbooks, which need no apostrophe
	result bool          // the file is a result
	warned bool
}

// guardedBy returns a guarded for an open file. If the file is a result file in CSV or TSV, it adds a
// warning that the apostrophes are removed.
func guardedBy(src *source.Table) guarded {
	if src.Delimiter == 0 {
		return guarded{}
	}
	g := guarded{src: src, result: resultfile.IsResult(src.Header)}
	if g.result {
		src.Warn(words.English("warning.apostrophes", nil))
	}
	return g
}

// restore restores the texts of a row of a result file in CSV or TSV: it removes apostrophes, and
// replaces references to letters such as "&#1078;". In another CSV or TSV file it changes no text. It
// then adds a warning about the first text with an apostrophe that a result file would add.
func (g *guarded) restore(row tabular.Row) {
	if g.src == nil {
		return
	}
	for i := range row.Cells {
		c := &row.Cells[i]
		switch {
		case c.Code != "":
		case g.result:
			c.Text = resultfile.Restore(c.Text, g.src.Encoding)
		case !g.warned && c.Text != "" && c.Text[0] == '\'' && table.Unguard(c.Text) != c.Text:
			g.warned = true
			g.src.Warn(words.English("warning.apostrophe.kept", map[string]string{"row": strconv.Itoa(row.Number)}))
		}
	}
}
