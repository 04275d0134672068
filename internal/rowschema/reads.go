package rowschema

import (
	"reflect"
	"strings"
)

// Reads reports whether a text is a value of the column's type, for example "7" in a number column. It
// ignores blanks around the text, and the rules of the column.
func (f *Field) Reads(text string) bool {
	return f.cell.set(reflect.New(f.typ).Elem(), strings.TrimSpace(text)) == nil
}
