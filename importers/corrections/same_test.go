package corrections

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestWhatASpreadsheetDoes: a text that a spreadsheet has read as a number and written again counts
// as unchanged. Any other new text counts as changed.
func TestWhatASpreadsheetDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ was, is string }{
		{"007", "7"},
		{"1.50", "1.5"},
		{"+49", "49"},
		{"1e3", "1000"},
		{"1E3", "1.00E+03"},
		{"7", "7.00"},
		{"12345678901234567890", "12345678901234600000"},
		{"12345678901234567890", "1.23457E+19"},
		{"12345678901234567", "12345678901234500"},
		{"123456789012", "1.23E+11"},
		{"true", "TRUE"},
		{".5", "0.5"},
		{"+5", "5"},
		{"+12345678901234567890", "12345678901234600000"},
		{"5.", "5"},
		{"-007", "-7"},
		{"0.10", "0.1"},
		{"00", "0"},
	} {
		if !spreadsheetRewrote(c.was, c.is) {
			t.Errorf("%q as %q is a change", c.was, c.is)
		}
	}
	for _, c := range []struct{ was, is string }{
		{"7", "007"},
		{"7", "+7"},
		{"7", "8"},
		{"", "0"},
		{"0", ""},
		{"x", "y"},
		{"TRUE", "true"},
		{"a", "A"},
		{"1.234", "1.23"},
		{"123456", "123457"},
		{"123456", "1.24E+05"},
		{"1.23E+11", "123456789012"},
		{"12345678901234567890", "12345678901234600001"},
		{"1", "1,0"},
		{"1e999999", "1e999998"},
		{"--1", "-1"},
		{"+-5", "-5"},
		{"++5", "5"},
		{"+", "0"},
	} {
		if spreadsheetRewrote(c.was, c.is) {
			t.Errorf("%q as %q is no change", c.was, c.is)
		}
	}
}

// TestTheSameWritten: a cell that equals the one in the result has not changed.
func TestTheSameWritten(t *testing.T) {
	t.Parallel()
	for _, s := range uploads.OddTexts {
		for _, is := range []string{s, table.Guard(s), table.Fitting(s), " " + s + "\u00a0", normalize(s)} {
			if !sameText(s, is) {
				t.Errorf("%.40q as %.40q is a change", s, is)
			}
		}
	}
	for _, c := range []struct{ was, is string }{
		{"a", "b"}, {"", "a"}, {"a", ""}, {"'=1", "=1"}, {"é", "e"}, {"a b", "ab"},
	} {
		if sameText(c.was, c.is) {
			t.Errorf("%q as %q is no change", c.was, c.is)
		}
	}
	if !sameText("e\u0301", "\u00e9") {
		t.Error("how an accent is composed is a change")
	}
}

// FuzzRetyped: any two texts can be compared, and no text differs from itself.
func FuzzRetyped(f *testing.F) {
	for _, s := range uploads.OddTexts {
		f.Add(s, "1.23E+05")
	}
	f.Add("123456", "1.23E+05")
	f.Fuzz(func(t *testing.T, a, b string) {
		_ = spreadsheetRewrote(a, b)
		if !sameText(a, a) || !sameText(a, table.Guard(a)) {
			t.Fatalf("%q has changed by itself", a)
		}
	})
}
