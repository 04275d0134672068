package rowschema

import (
	"reflect"
	"strings"
)

// Same reports whether two texts have the same value in this column, such as the numbers "7" and "7.00",
// or the booleans "yes" and "1". It ignores blanks around a text. Texts of a text column, and texts that
// cannot be read, have the same value only if they are equal.
func (f *Field) Same(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == b {
		return true
	}
	if a == "" || b == "" || f.Type == "text" {
		return false
	}
	meantA, okA := f.meaning(a)
	meantB, okB := f.meaning(b)
	return okA && okB && meantA == meantB
}

// meaning returns the normal form of a text's value.
func (f *Field) meaning(text string) (string, bool) {
	v := reflect.New(f.typ).Elem()
	return cellTextIf(f.cell.set(v, text), v)
}

// cellTextIf returns the text of a value. It returns false if `complaint` is not empty, since the
// value is not set in this case.
func cellTextIf[T comparable](complaint T, v reflect.Value) (string, bool) {
	var none T
	if complaint != none {
		return "", false
	}
	return cellText(v), true
}
