package scaffold

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// column is a column of the sample file, with the struct field that is generated for it.
type column struct {
	Heading, Field, Example string
	Type                    string // Go type of a value
	Required, Key           bool
}

// Each expression matches the values of one type. A number with a leading zero, such as a postal code,
// matches no expression, so its column becomes a string.
var (
	integer = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)
	decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	boolean = regexp.MustCompile(`(?i)^(true|false|yes|no)$`)
)

// types are the possible types of a column, the narrowest first. A column that matches none of them
// is a string.
var types = []struct {
	name string
	fits func(string) bool
}{
	{"int64", integer.MatchString},
	{"decimal.Decimal", decimal.MatchString},
	{"time.Time", func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }},
	{"bool", boolean.MatchString},
}

func columnsOf(s sample) (out []column) {
	taken := map[string]bool{}
	for i, heading := range s.header {
		values := s.column(i)
		filled := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return strings.TrimSpace(v) == "" })
		c := column{Heading: heading, Field: fieldName(heading, i, taken), Type: typeOf(filled)}
		c.Required = len(values) > 0 && len(filled) == len(values)
		if len(filled) > 0 {
			c.Example = filled[0]
		}
		out = append(out, c)
	}
	return out
}

// typeOf returns the narrowest type that fits all values, or "string" if the list is empty.
func typeOf(values []string) string {
	for _, t := range types {
		if len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !t.fits(v) }) {
			return t.name
		}
	}
	return "string"
}

// chooseKey sets Key and Required of the column that holds the ordering key, and returns the name of its
// field. With a `heading`, it chooses the column with this heading, or returns ErrKey. Without a
// heading, it chooses the first text or integer column with unique values and no blanks. If no column is
// suitable, it returns "".
func chooseKey(columns []column, s sample, heading string) (field string, err error) {
	for i := range columns {
		c := &columns[i]
		values := s.column(i)
		slices.Sort(values)
		distinct := len(slices.Compact(values)) == len(s.rows)
		byValues := heading == "" && c.Required && distinct && (c.Type == "string" || c.Type == "int64")
		if byValues || heading != "" && strings.EqualFold(c.Heading, heading) {
			c.Key, c.Required = true, true
			return c.Field, nil
		}
	}
	if heading != "" {
		return "", fmt.Errorf("%q: %w", heading, ErrKey)
	}
	return "", nil
}
