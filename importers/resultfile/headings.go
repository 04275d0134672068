package resultfile

import (
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// These are the indexes of the columns that a result file adds after the columns of the upload.
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

// Headings holds the headings of the columns that a result file adds.
var Headings = [Columns]string{"Row", "Status", "Code", "Column", "Message", "Hint", "Result", "Row id"}

// prefix is the word, in the form of a HeadingKey, that precedes an added heading if the upload already has
// this heading.
const prefix = "rollcall"

// HeadingKey returns the form in which headings are compared with Headings. The JSON name of a heading,
// such as row_id, has the same form.
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
