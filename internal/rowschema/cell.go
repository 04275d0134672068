package rowschema

import (
	"fmt"
	"reflect"
	"time"

	"github.com/shopspring/decimal"
)

// cell holds the conversion of a cell's text to a value of a Go type.
type cell struct {
	name string // type of the column, in messages and in JSON Schema
	code string // code of a text that cannot be read
	set  setter
	like string // example of a value, for help texts

	number *numberRule // rule of a column of numbers
}

// setter is a function that parses a text that is not blank into a value.
type setter func(v reflect.Value, text string) *refusal

// refusal holds the reason why a text cannot be read: the key and the values of a sentence, as in Say.
type refusal struct {
	key   string
	pairs []string
	code  string // replaces the code of the cell
}

func refuse(key string, pairs ...string) *refusal { return &refusal{key: key, pairs: pairs} }

// cellFor returns the conversion for the type of a field or, for a pointer, for the type of its element. It
// panics on a malformed tag, and returns false for a type that no cell can hold.
func cellFor(sf reflect.StructField) (cell, bool) {
	t := sf.Type
	if t.Kind() != reflect.Pointer {
		return plainCell(t, sf)
	}
	c, ok := plainCell(t.Elem(), sf)
	set := c.set
	c.set = func(v reflect.Value, text string) *refusal {
		v.Set(reflect.New(t.Elem()))
		return set(v.Elem(), text)
	}
	return c, ok
}

func plainCell(t reflect.Type, sf reflect.StructField) (cell, bool) {
	switch {
	case t == reflect.TypeFor[decimal.Decimal]():
		return numberCell("number", sf, setDecimal), true
	case t == reflect.TypeFor[time.Time]():
		d := newDateRule(sf.Tag.Get("format"))
		return cell{name: "date", code: CodeInvalidDate, set: d.set, like: d.example()}, true
	case t.Kind() == reflect.String:
		return cell{name: "text", code: CodeInvalidValue, set: setString}, true
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return numberCell("integer", sf, setInt), true
	case t.Kind() == reflect.Float64:
		return numberCell("number", sf, setFloat), true
	case t.Kind() == reflect.Bool:
		b := newBoolRule(sf.Tag)
		return cell{name: "boolean", code: CodeInvalidValue, set: b.set}, true
	}
	return cell{}, false
}

// mustFit panics on a tag that does not apply to the type of the column.
func (c *cell) mustFit(t reflect.Type, sf reflect.StructField) {
	number := c.name == "number" || c.name == "integer"
	for tag, fits := range map[string]bool{
		"locale": number, "unit": number, "format": c.name == "date",
		"yes": c.name == "boolean", "no": c.name == "boolean",
	} {
		if sf.Tag.Get(tag) != "" && !fits {
			panic(fmt.Sprintf("worker: %v.%s: the tag %s is not for a %s", t, sf.Name, tag, c.name))
		}
	}
}

func setString(v reflect.Value, text string) *refusal {
	if lostDigits(text) {
		return &refusal{key: "digits.lost", code: CodeLostDigits}
	}
	v.SetString(text)
	return nil
}

// lostDigits reports whether a text is a long number that a spreadsheet has rounded, such as
// 1.23E+16.
func lostDigits(text string) bool {
	n := len(text)
	if n < 5 || text[0] < '1' || text[0] > '9' {
		return false
	}
	i := 1
	if text[i] == '.' || text[i] == ',' {
		for i++; i < n && digit(text[i]); i++ {
		}
	}
	if n-i < 4 || n-i > 5 || text[i] != 'E' || text[i+1] != '+' {
		return false
	}
	for i += 2; i < n; i++ {
		if !digit(text[i]) {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
