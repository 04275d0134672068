package review

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// numberIn matches a text with exactly one number, which may have separators between its digits.
var numberIn = regexp.MustCompile(`^[^\d+-]*([+-]?\d[\d.,' \x{a0}\x{202f}]*)[^\d]*$`)

// plainNumber returns the number in a text without its unit and separators, with a point before the
// decimals. It returns nil if it is unclear whether a separator stands before decimals or thousands.
func plainNumber(f *rowschema.Field, text string) *Suggestion {
	if f.Type != "number" && f.Type != "integer" {
		return nil
	}
	m := numberIn.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	digits := strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' {
			return -1
		}
		return r
	}, m[1]), ".,")
	whole, decimals, ok := splitNumber(digits)
	if !ok {
		return nil
	}
	why := Unit
	if strings.Contains(digits, ",") {
		why = Comma
	}
	if decimals != "" {
		whole += "." + decimals
	}
	return &Suggestion{With: whole, Why: why}
}

// splitNumber splits digits at the separator before the decimals. The result `ok` is false if it is
// unclear which separator that is.
func splitNumber(digits string) (whole, decimals string, ok bool) {
	last := strings.LastIndexAny(digits, ".,")
	if last < 0 {
		return digits, "", true
	}
	mark := digits[last : last+1]
	other := strings.Trim(".,", mark)
	whole, decimals = digits[:last], digits[last+1:]
	switch {
	case strings.Contains(whole, mark):
		return "", "", false // the separator occurs several times: thousands, or a date
	case len(decimals) == 3 && !strings.Contains(whole, other):
		return "", "", false // 1,234 may have thousands or decimals
	}
	return strings.ReplaceAll(whole, other, ""), decimals, true
}

// dateLayouts are the layouts of dates that can be read in only one way.
var dateLayouts = []string{
	"2.1.2006", "2006/1/2", "2006.1.2", "20060102", "2006-1-2", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006",
	"2006-01-02 15:04:05", time.RFC3339,
}

var yearMonthDay = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)

// plainDate returns the date of a text in the layout of its column. For a day from 29 to 31 that
// the month does not have, it returns the last day of the month.
func plainDate(f *rowschema.Field, text string) *Suggestion {
	if f.Type != "date" {
		return nil
	}
	layout := time.DateOnly
	if len(f.Formats) > 0 {
		layout = f.Formats[0]
	}
	text = strings.TrimSpace(text)
	for _, l := range dateLayouts {
		if at, err := time.Parse(l, text); err == nil {
			return &Suggestion{With: at.Format(layout), Why: Layout}
		}
	}
	if m := yearMonthDay.FindStringSubmatch(text); m != nil {
		first, err := time.Parse("2006-1", m[1]+"-"+m[2])
		if err == nil && len(m[3]) == 2 && m[3] > "28" && m[3] <= "31" {
			return &Suggestion{With: first.AddDate(0, 1, -1).Format(layout), Why: LastDay}
		}
	}
	return nil
}
