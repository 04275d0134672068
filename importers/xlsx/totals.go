package xlsx

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// colRange is the range of columns of a table in a sheet, from 0, with both ends included.
type colRange struct {
	table    string
	from, to int
}

// totals returns the tables of a sheet that have a totals row, by the number of this row. The totals row of a table in
// Excel is its last row, which sums up the other rows.
func (c *Container) totals(sheet string) (map[int][]colRange, error) {
	dir, file := path.Split(sheet)
	if !c.Has(dir + "_rels/" + file + ".rels") {
		return nil, nil
	}
	rels, err := c.relations(sheet)
	if err != nil {
		return nil, err
	}
	rows := map[int][]colRange{}
	for _, r := range rels {
		if r.kind != "table" || !c.Has(r.target) {
			continue
		}
		row, columns, err := c.totalsOf(r.target)
		if err != nil {
			return nil, err
		}
		if row > 0 {
			rows[row] = append(rows[row], columns)
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

// withoutTotals returns a row without cells if the row contains only the totals of tables. It adds a
// warning for each totals row.
func (s *SheetReader) withoutTotals(row tabular.Row) tabular.Row {
	tables := s.totals[row.Number]
	if len(tables) == 0 {
		return row
	}
	alone := row.Beyond == 0
	for col, c := range row.Cells {
		inside := slices.ContainsFunc(tables, func(t colRange) bool { return t.from <= col && col <= t.to })
		if !inside && (c.Code != "" || tabular.TrimHeading(c.Text) != "") {
			alone = false
		}
	}
	names := namesOf(tables)
	if !alone {
		s.warn(fmt.Sprintf("Row %d holds the totals of the table %q and other values: it was imported "+
			"like all other rows.", row.Number, names))
		return row
	}
	s.warn(fmt.Sprintf("Row %d holds the totals of the table %q: it was left out.", row.Number, names))
	row.Cells = nil
	return row
}

// namesOf returns the names of tables in one text, from left to right.
func namesOf(tables []colRange) string {
	sort.Slice(tables, func(i, j int) bool { return tables[i].from < tables[j].from })
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.table
	}
	return strings.Join(names, ", ")
}
