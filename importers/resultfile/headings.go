package resultfile

import (
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// These are the indexes of the columns that a result adds after the columns of the upload.
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

// Headings holds the headings of the columns that a result adds.
var Headings = [Columns]string{"Row", "Status", "Code", "Column", "Message", "Hint", "Result", "Row id"}

// prefix is the key of the word that a result puts before its own heading if that heading is
// already taken.
const prefix = "rollcall"

// HeadingKey returns the key by which a heading in Headings is found. The JSON name of a heading,
// such as row_id, has the same key.
func HeadingKey(heading string) string { return tabular.HeadKey(strings.ReplaceAll(heading, "_", "")) }

// IsResult reports whether the headings of a file end with the headings that a result adds.
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
