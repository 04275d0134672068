package rowschema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// mustBeVersion panics on a version column that is not a required date or integer.
func (f *Field) mustBeVersion(t reflect.Type) {
	if f.Version && (!f.Required || f.Type != "date" && f.Type != "integer") {
		panic(fmt.Sprintf("worker: %v: the version %s must be a required date or whole number", t, f.Name))
	}
}

// Versioned reports whether a column decides which row of a key is the newest.
func (s *Schema) Versioned() bool {
	return s != nil && slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Version })
}

// Version returns the version of a row: an integer, or a date in unix microseconds. A newer row has a
// greater version. It returns nil for a kind without versions, for an empty cell, and for an invalid
// integer or date.
func (s *Schema) Version(cells func(*Field) string) *int64 {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Version {
			return f.version(strings.TrimSpace(cells(f)))
		}
	}
	return nil
}

func (f *Field) version(text string) *int64 {
	v := reflect.New(f.typ).Elem()
	if text == "" || f.cell.set(v, text) != nil {
		return nil
	}
	v = reflect.Indirect(v)
	if at, ok := v.Interface().(time.Time); ok {
		n := at.UnixMicro()
		return &n
	}
	n := v.Int()
	return &n
}
