package xlsx

import (
	"fmt"
	"path"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// colRange is the range of columns of a table in a sheet, from 0, with both ends included.
type colRange struct {
	table    string
	from, to int
}

// totals returns the totals rows of the tables in a sheet, by row number. The totals row of a table in
// Excel is its last row, which sums up the other rows.
func (c *Container) totals(sheet string) (map[int]colRange, error) {
	dir, file := path.Split(sheet)
	if !c.Has(dir + "_rels/" + file + ".rels") {
		return nil, nil
	}
	rels, err := c.relations(sheet)
	if err != nil {
		return nil, err
	}
	rows := map[int]colRange{}
	for _, r := range rels {
		if r.kind != "table" || !c.Has(r.target) {
			continue
		}
		row, columns, err := c.totalsOf(r.target)
		if err != nil {
			return nil, err
		}
		if row > 0 {
			rows[row] = columns
		}
	}
	return rows, nil
}

// totalsOf returns the number of the totals row of a table, or 0, and the columns of the table.
func (c *Container) totalsOf(part string) (row int, columns colRange, err error) {
	x, err := c.open(part)
	if err != nil {
		return 0, columns, err
	}
	if err := x.enter("table"); err != nil {
		return 0, columns, err
	}
	from, to, _ := strings.Cut(x.attr("ref"), ":")
	if n := x.attr("totalsRowCount"); n == "" || n == "0" || to == "" {
		return 0, columns, nil
	}
	left, _ := parseRef([]byte(from))
	right, last := parseRef([]byte(to))
	if left < 0 || right < left {
		return 0, columns, nil
	}
	return last, colRange{x.attr("displayName"), left, right}, nil
}

// withoutTotals returns a row without cells if the row contains only the totals of a table. It adds a
// warning for each totals row.
func (s *SheetReader) withoutTotals(row tabular.Row) tabular.Row {
	columns, ok := s.totals[row.Number]
	if !ok {
		return row
	}
	alone := row.Beyond == 0
	for col, c := range row.Cells {
		if (col < columns.from || col > columns.to) && (c.Code != "" || tabular.TrimHeading(c.Text) != "") {
			alone = false
		}
	}
	if !alone {
		s.warn(fmt.Sprintf("Row %d holds the totals of the table %q and other values: it was imported "+
			"like all other rows.", row.Number, columns.table))
		return row
	}
	s.warn(fmt.Sprintf("Row %d holds the totals of the table %q: it was left out.", row.Number, columns.table))
	row.Cells = nil
	return row
}
