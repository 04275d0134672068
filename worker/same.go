package worker

import (
	"reflect"
	"strings"
)

// Same tells whether two texts mean one value in this column: "7" and "7.00"
// do in one of numbers, "yes" and "1" in one of yes or no. Blanks around a text
// mean nothing. Texts that cannot be read are the same only to the letter.
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

// meaning is the value of a text, written in one way.
func (f *Field) meaning(text string) (string, bool) {
	v := reflect.New(f.typ).Elem()
	return cellTextIf(f.cell.set(v, text), v)
}

// cellTextIf is the text of a value that was set without a complaint.
func cellTextIf[T comparable](complaint T, v reflect.Value) (string, bool) {
	var none T
	if complaint != none {
		return "", false
	}
	return cellText(v), true
}
