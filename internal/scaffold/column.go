package scaffold

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// column is a column of the file, as a field of the struct.
type column struct {
	Heading, Field, Example string
	Type                    string // Go type of a value
	Required, Key           bool
}

// These expressions match the values of a type. A number with a leading zero, such as a postal
// code, is a text.
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

// columnsOf returns the columns of a file.
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

// typeOf returns the narrowest type that fits all values; "string" without values.
func typeOf(values []string) string {
	for _, t := range types {
		if len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !t.fits(v) }) {
			return t.name
		}
	}
	return "string"
}

// chooseKey marks the column with the key of the rows, and returns its field. It chooses the column with
// the given heading, and returns ErrKey if there is none. If `heading` is empty, it chooses the first text
// or integer column with unique values and no blanks, and returns "" if no column is suitable.
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
