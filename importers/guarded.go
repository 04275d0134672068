package importers

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// guarded takes back what a result file in text does to texts: it puts an apostrophe
// before what a spreadsheet would run as a formula. In other files an apostrophe is
// kept, and the person is warned.
type guarded struct {
	src    *Source // nil for workbooks, which need no apostrophe
	result bool    // the file is a result
	warned bool
}

// guardedBy returns the guard of an open file. It warns of a result that is imported
// as a new file.
func guardedBy(src *Source) guarded {
	if src.Delimiter == 0 {
		return guarded{}
	}
	g := guarded{src: src, result: isResult(src.Header)}
	if g.result {
		src.warn("The file is a result of Rollcall: the apostrophes before signs such as + and = were taken off.")
	}
	return g
}

// isResult reports whether headings end with those that a result adds.
func isResult(headings []string) bool {
	first := len(headings) - len(ownNames)
	if first < 0 {
		return false
	}
	for i, name := range ownNames {
		own := looseKey(headings[first+i])
		for strings.HasPrefix(own, ownPrefix) {
			own = strings.TrimPrefix(own, ownPrefix)
		}
		if own != looseKey(name) {
			return false
		}
	}
	return true
}

// open takes back what a result did to the texts of a row.
func (g *guarded) open(row Row) {
	if g.src == nil {
		return
	}
	for i := range row.Cells {
		c := &row.Cells[i]
		switch {
		case c.Code != "":
		case g.result:
			c.Text = unspelt(c.Text, g.src.Encoding)
		case !g.warned && c.Text != "" && c.Text[0] == '\'' && table.Unguard(c.Text) != c.Text:
			g.warned = true
			g.src.warn(fmt.Sprintf("Row %d has a cell with an apostrophe before a sign such as + or =: "+
				"it was kept, as were those of other cells.", row.Number))
		}
	}
}

// unspelt returns a text without what a result in a character set does to it.
func unspelt(text, encoding string) string {
	if encoding != "" && !strings.HasPrefix(encoding, "utf-") {
		text = unref(text)
	}
	return table.Unguard(text)
}
