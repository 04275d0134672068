package resultfile

import (
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// These are the indexes of the columns that a result file has after the columns of the upload.
const (
	Row = iota
	Status
	Code
	Column
	Message
	Hint
	Result
	ID
	Columns // number of these columns
)

// Headings holds the headings of the columns that a result file has after the columns of the upload.
var Headings = [Columns]string{"Row", "Status", "Code", "Column", "Message", "Hint", "Result", "Row id"}

// prefix is the word before the heading of an added column, if the upload or a field of the kind already
// has this heading. It has the form that HeadingKey returns.
const prefix = "rollcall"

// HeadingKey returns the form in which headings are compared with Headings. It returns the same form for
// a heading and for its JSON name, such as row_id.
func HeadingKey(heading string) string { return tabular.HeadKey(strings.ReplaceAll(heading, "_", "")) }

// IsResult reports whether the headings of a file end with the headings that a result file adds.
func IsResult(headings []string) bool {
	first := len(headings) - len(Headings)
	if first < 0 {
		return false
	}
	for i, name := range Headings {
		own := HeadingKey(headings[first+i])
		for strings.HasPrefix(own, prefix) {
			own = strings.TrimPrefix(own, prefix)
		}
		if own != HeadingKey(name) {
			return false
		}
	}
	return true
}
