package resultfile

import (
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// The places of the columns that a result adds, behind those of the upload.
const (
	Row = iota
	Status
	Code
	Column
	Message
	Hint
	Result
	ID
	Columns // how many there are
)

// Headings are the headings of the columns that a result adds.
var Headings = [Columns]string{"Row", "Status", "Code", "Column", "Message", "Hint", "Result", "Row id"}

// prefix is what HeadingKey makes of the word before a heading that the upload has, too.
const prefix = "rollcall"

// HeadingKey returns what a heading is known by, also as the name of a JSON value.
func HeadingKey(heading string) string { return tabular.HeadKey(strings.ReplaceAll(heading, "_", "")) }

// IsResult reports whether headings end with the headings that a result adds.
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
