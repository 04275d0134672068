package importers

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// guarded is the handling of apostrophes before texts that a spreadsheet would evaluate as formulas.
// Results in CSV and TSV contain such apostrophes. If the upload is a result, they are removed. In another
// file they are kept, and a warning is added.
type guarded struct {
	src    *source.Table // nil for workbooks, which need no apostrophe
	result bool          // the file is a result
	warned bool
}

// guardedBy returns the handling of apostrophes for an open file. If the file is a result in CSV or TSV,
// guardedBy adds a warning that the apostrophes are removed.
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

// restore removes the escapes from the texts of a row, if the file is a result in CSV or TSV. In
// another CSV or TSV file, it changes nothing, and adds a warning about the first cell with an
// apostrophe before a sign.
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
