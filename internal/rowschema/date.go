package rowschema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// isoLayouts are the layouts that every column of dates accepts. Importers write the dates of
// workbooks in these layouts. The last layout also reads the times that cellText writes.
var isoLayouts = []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339}

// firstYear and lastYear bound the years of a date. Programs use years outside this range for "never" and
// "for ever".
const (
	firstYear = 1000
	lastYear  = 9998
)

// dateRule holds the layouts of the dates of a column.
type dateRule struct{ layouts []string }

// newDateRule parses the struct tag `format`. It panics if two layouts with a year read the same text as
// different days.
func newDateRule(format string) *dateRule {
	r := &dateRule{layouts: isoLayouts}
	if format != "" {
		r.layouts = append(strings.Split(format, "|"), isoLayouts...)
	}
	probe := time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)
	for _, a := range r.layouts {
		for _, b := range r.layouts {
			t, err := time.Parse(b, probe.Format(a))
			if err == nil && hasYear(a) && hasYear(b) && !t.Equal(probe) {
				panic(fmt.Sprintf("worker: the formats %q and %q read %q as different days", a, b, probe.Format(a)))
			}
		}
	}
	return r
}

// example returns a date in the first layout of the column.
func (r *dateRule) example() string {
	return time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC).Format(r.layouts[0])
}

func hasYear(layout string) bool { return strings.Contains(layout, "06") }

func (r *dateRule) set(v reflect.Value, text string) *refusal {
	for _, layout := range r.layouts {
		t, err := time.Parse(layout, text)
		switch {
		case err != nil:
		case hasYear(layout) && (t.Year() < firstYear || t.Year() > lastYear):
			return refuse("date.year")
		default:
			v.Set(reflect.ValueOf(t))
			return nil
		}
	}
	return refuse("date", "example", r.example())
}

// datePattern converts a layout to a pattern for users, such as YYYY-MM-DD.
var datePattern = strings.NewReplacer(
	"2006", "YYYY", "January", "MMMM", "Jan", "MMM", "Monday", "DDDD", "Mon", "DDD",
	"01", "MM", "02", "DD", "03", "hh", "04", "mm", "05", "ss", "06", "YY", "15", "HH",
	"_2", "D", "1", "M", "2", "D", "3", "h", "PM", "AM/PM",
)

// DatePatterns returns the layouts of dates in this column as patterns for users, the preferred
// pattern first. For other columns it returns nil.
func (f *Field) DatePatterns() []string {
	if f.Type != "date" {
		return nil
	}
	var out []string
	for _, layout := range append(f.Formats, time.DateOnly) {
		if p := datePattern.Replace(layout); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// OfDays reports whether a column contains days: its tag `format` is set, and the first layout in
// it has no time of day.
func (f *Field) OfDays() bool {
	if len(f.Formats) == 0 {
		return false
	}
	midnight := time.Date(2006, 1, 2, 0, 0, 0, 0, time.UTC)
	later := midnight.Add(15*time.Hour + 4*time.Minute + 5*time.Second)
	return midnight.Format(f.Formats[0]) == later.Format(f.Formats[0])
}
