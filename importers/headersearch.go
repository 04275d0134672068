package importers

import (
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// aboutHeader holds codes of problems that can arise if the reader takes a title above the headings for the
// headings.
var aboutHeader = map[string]bool{
	tabular.CodeMissingColumn: true, tabular.CodeDuplicateHeader: true, CodeNoKnownColumn: true,
	tabular.CodeHeaderNotFound: true,
}

// searchHeader returns the number of the row whose cells match the most columns of a kind. It reads the
// first 20 rows that are not blank. It skips a row that lacks a required column, or that has two cells
// for one column. If no row matches, it returns 0.
func searchHeader(c *source.File, kind jobs.Kind, opt Options) (row int, err error) {
	most := 0
	err = c.FirstRows(opt.Reading(), func(r tabular.Row) {
		if n := columnsNamed(kind, r, opt.Mapping); n > most {
			row, most = r.Number, n
		}
	})
	if err != nil {
		return 0, err
	}
	return row, nil
}

// columnsNamed returns the number of columns of a kind that the cells of a row match, or 0 if the
// row cannot be the header.
func columnsNamed(kind jobs.Kind, r tabular.Row, mapping map[string]string) int {
	var texts []string
	for _, c := range r.Cells {
		texts = append(texts, tabular.TrimHeading(c.Text))
	}
	m := kind.Schema.Match(texts, mapping)
	if len(m.Missing)+len(m.Twice) > 0 {
		return 0
	}
	n := 0
	for _, f := range m.Fields {
		if f != nil {
			n++
		}
	}
	return n
}
