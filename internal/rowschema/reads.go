package rowschema

import (
	"reflect"
	"strings"
)

// Reads reports whether a text that is not blank is a value of the field's type. It does not check
// the rules of the field.
func (f *Field) Reads(text string) bool {
	return f.cell.set(reflect.New(f.typ).Elem(), strings.TrimSpace(text)) == nil
}
