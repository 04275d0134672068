package table

import (
	"testing"
	"time"
)

// TestRows_Text_IsQuotedAndSpelledWhereNeeded tests each special character of a text file, texts
// that are not UTF-8, and letters that the character set lacks.
func TestRows_Text_IsQuotedAndSpelledWhereNeeded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec       Spec
		text, want string
	}{
		{Spec{Format: CSV}, "plain", "plain"},
		{Spec{Format: CSV}, "a,b", `"a,b"`},
		{Spec{Format: CSV}, "a;b", "a;b"},
		{Spec{Format: CSV, Delimiter: ";"}, "a;b", `"a;b"`},
		{Spec{Format: CSV, Delimiter: ";"}, "a,b", "a,b"},
		{Spec{Format: TSV}, "a\tb", "\"a\tb\""},
		{Spec{Format: CSV}, `a"b`, `"a""b"`},
		{Spec{Format: CSV}, "a\nb", "\"a\nb\""},
		{Spec{Format: CSV}, "a\rb", "\"a\rb\""},
		{Spec{Format: CSV}, " a", `" a"`},
		{Spec{Format: CSV}, "Ω", "Ω"},
		{Spec{Format: CSV}, "Ω,", `"Ω,"`},
		{Spec{Format: CSV}, "a\xffb", "a\uFFFDb"},
		{Spec{Format: CSV}, "=1", "'=1"},
		{Spec{Format: CSV}, "＝1", "'＝1"},
		{Spec{Format: CSV, Encoding: "windows-1252"}, "é Ω", "\xe9 &#937;"},
		{Spec{Format: CSV, Encoding: "windows-1252", Delimiter: ";"}, "Ω", `"&#937;"`},
	} {
		if got := line(t, c.spec, Cell{Kind: Text, Text: c.text}); got != c.want {
			t.Errorf("%+v: %q is %q, want %q", c.spec, c.text, got, c.want)
		}
	}
}

// TestRows_Day_IsAsGoFormatsIt tests years of any length.
func TestRows_Day_IsAsGoFormatsIt(t *testing.T) {
	t.Parallel()
	for _, year := range []int{-1, 0, 7, 1850, 2026, 9999, 10_000} {
		day := time.Date(year, 2, 28, 0, 0, 0, 0, time.UTC)
		if got := line(t, Spec{Format: CSV}, Cell{Kind: Moment, Time: day}); got != day.Format(time.DateOnly) {
			t.Errorf("the year %d is %q", year, got)
		}
	}
}

// line returns a cell as a text file has it. The cell is in a row with an empty second cell.
func line(t *testing.T, spec Spec, c Cell) string {
	t.Helper()
	r, err := NewRows(spec, make([]Column, 2))
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Append(nil, []Cell{c, {}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b[:len(b)-len(",\n")])
}
