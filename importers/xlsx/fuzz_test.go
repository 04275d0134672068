package xlsx

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// FuzzNumber checks that a number keeps its value. Its text has the 15 digits that Excel keeps, and
// an exponent only if digits were lost before.
func FuzzNumber(f *testing.F) {
	for _, raw := range []string{"0.1", "-0", "1.5E+3", "0.30000000000000004", "12345678901234567", "1e-300", ".5", "5.", "+1"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, ok := decimalText([]byte(raw))
		want, number := parseNumber([]byte(raw))
		if plain := plainNumber([]byte(raw)); ok != (number || plain) {
			t.Fatalf("%q: %q, %v; it is a number: %v", raw, text, ok, number)
		}
		if !ok || !number {
			return
		}
		exact := func(f float64) string { return strconv.FormatFloat(f, 'e', exactDigits-1, 64) }
		if got, ok := parseNumber([]byte(text)); !ok || exact(got) != exact(want) {
			t.Errorf("%q became %q, which is %v, not %v", raw, text, got, want)
		}
		if strings.ContainsAny(text, "eE") && text != raw {
			t.Errorf("%q became %q", raw, text)
		}
	})
}

// FuzzSerial checks that a number with a date format is that date, to the second, or is refused
// with a reason.
func FuzzSerial(f *testing.F) {
	for _, serial := range []float64{0, 1, 59, 60, 61, 45413.52, 2958465.9999999, 2958466, -1, 1e300} {
		f.Add(serial, true)
		f.Add(serial, false)
	}
	f.Fuzz(func(t *testing.T, serial float64, mac bool) {
		for _, kind := range []dateKind{dateFormat, timeFormat, spanFormat} {
			text, why := serialText(serial, kind, mac)
			if (text == "") != (why != "") {
				t.Fatalf("%v: %q and %q", serial, text, why)
			}
			if text == "" || kind != dateFormat {
				continue
			}
			if back := serialOf(t, text, mac); back-serial > 1e-5 || serial-back > 1e-5 {
				t.Errorf("%v became %s, which is %v", serial, text, back)
			}
		}
	})
}

// serialOf returns the number of a date, calculated in another way.
func serialOf(t *testing.T, text string, mac bool) float64 {
	t.Helper()
	if !strings.Contains(text, "T") {
		text += "T00:00:00"
	}
	at, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if mac {
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	days := float64(at.Unix()-first.Unix()) / daySeconds
	if !mac && days < leapSerial+1 {
		days-- // the 1900 system counts 29 February 1900, which did not exist
	}
	return days
}

// FuzzISO checks that a date in ISO 8601 has one text, and that its reader panics at no format
// code.
func FuzzISO(f *testing.F) {
	f.Add("2024-05-01T00:00:00.000")
	f.Add("2024-05-01T12:30:00+02:00")
	f.Add("15:04:05")
	f.Add(`[$-409]d\-mmm\-yy;@`)
	f.Fuzz(func(t *testing.T, raw string) {
		formatKind(raw)
		text, ok := isoText(raw)
		if !ok {
			return
		}
		if again, ok := isoText(text); !ok || again != text {
			t.Errorf("%q became %q, and that %q", raw, text, again)
		}
	})
}

// FuzzRef checks that a cell has the position of its reference.
func FuzzRef(f *testing.F) {
	for _, ref := range []string{"A1", "xfd1048576", "XFE1", "A0", "A01", "1A", "ZZZZ1", "A12345678"} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		col, row := parseRef([]byte(ref))
		if col < 0 {
			return
		}
		if want := columnName(col) + strconv.Itoa(row); !strings.EqualFold(ref, want) || col >= tabular.MaxColumn {
			t.Errorf("%q was taken for %s", ref, want)
		}
	})
}
