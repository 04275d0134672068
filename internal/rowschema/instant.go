package rowschema

import (
	"reflect"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// instantLayouts are the layouts of a time in a column that is not a column of dates.
var instantLayouts = append([]string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04"}, isoLayouts...)

// Instant returns the time in a cell, in unix ms. f is the field of the column; nil if the column has no
// field. A time without a zone is in UTC. A day without a time means midnight. Instant returns false for
// other texts, and for years after 9998.
func Instant(f *Field, text string) (ms int64, ok bool) {
	text = strings.TrimSpace(text)
	if f != nil && f.Type == "date" {
		v := reflect.New(f.typ).Elem()
		if f.cell.set(v, text) != nil {
			return 0, false
		}
		return reflect.Indirect(v).Interface().(time.Time).UnixMilli(), true
	}
	for _, layout := range instantLayouts {
		if t, err := time.Parse(layout, text); err == nil && t.Year() <= lastYear {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

// NoInstant returns the fault of a cell that holds no time.
func NoInstant(column, shown string) events.Field {
	return Say(events.Field{Column: column, Value: shown, Code: CodeInvalidDate}, "date", "example", "2026-03-31 14:30")
}
