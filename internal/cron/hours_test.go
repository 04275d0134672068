package cron

import (
	"errors"
	"testing"
	"time"
)

// TestHours_Opens_ReturnsTheNextBeginning tests hours across midnight, and across changes of the
// clock.
func TestHours_Opens_ReturnsTheNextBeginning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ hours, at, opens string }{
		{"", "2026-11-25T12:00:00Z", ""},
		{"22:00-06:00 Europe/Berlin", "2026-11-25T20:59:59Z", "2026-11-25T22:00:00+01:00"},
		{"22:00-06:00 Europe/Berlin", "2026-11-25T21:00:00Z", ""},
		{"22:00-06:00 Europe/Berlin", "2026-11-26T04:59:59Z", ""},
		{"22:00-06:00 Europe/Berlin", "2026-11-26T05:00:00Z", "2026-11-26T22:00:00+01:00"},
		{"22:00-06:00 Europe/Berlin", "2026-07-01T04:00:00Z", "2026-07-01T22:00:00+02:00"},
		{"09:00-17:30 Asia/Kolkata", "2026-11-25T11:59:59Z", ""},
		{"09:00-17:30 Asia/Kolkata", "2026-11-25T12:00:00Z", "2026-11-26T09:00:00+05:30"},
		{"18:00-00:00 UTC", "2026-11-25T23:59:59Z", ""},
		{"18:00-00:00 UTC", "2026-11-26T00:00:00Z", "2026-11-26T18:00:00Z"},
		// 2026-03-29: the clock goes from 02:00 to 03:00.
		{"02:30-04:00 Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T03:00:00+02:00"},
		{"02:15-02:45 Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-30T02:15:00+02:00"},
		{"01:00-02:30 Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-30T01:00:00+02:00"},
		{"05:00-06:00 Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T05:00:00+02:00"},
		// 2026-10-25: the clock goes from 03:00 back to 02:00.
		{"02:15-02:45 Europe/Berlin", "2026-10-25T00:20:00Z", ""},
		{"02:15-02:45 Europe/Berlin", "2026-10-25T00:50:00Z", "2026-10-25T02:15:00+01:00"},
		{"01:00-02:30 Europe/Berlin", "2026-10-25T00:40:00Z", "2026-10-25T02:00:00+01:00"},
	} {
		h, err := ParseHours(c.hours)
		if err != nil || h.String() != c.hours {
			t.Fatalf("ParseHours(%q) = %v, %v", c.hours, h, err)
		}
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if opens := h.Opens(at); !opens.IsZero() {
			got = opens.Format(time.RFC3339)
		}
		if got != c.opens {
			t.Errorf("%q at %s opens %q, want %q", c.hours, c.at, got, c.opens)
		}
	}
}

// TestHours_Opened_ReturnsTheLastBeginning tests hours across midnight, and across changes of the
// clock.
func TestHours_Opened_ReturnsTheLastBeginning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ hours, at, opened string }{
		{"22:00-06:00 Europe/Berlin", "2026-11-25T23:30:10Z", "2026-11-25T22:00:00+01:00"},
		{"22:00-06:00 Europe/Berlin", "2026-11-25T21:00:00Z", "2026-11-25T22:00:00+01:00"},
		{"22:00-06:00 Europe/Berlin", "2026-03-29T03:00:00Z", "2026-03-28T22:00:00+01:00"},
		{"02:30-04:00 Europe/Berlin", "2026-03-29T01:30:00Z", "2026-03-29T03:00:00+02:00"},
		{"01:00-02:30 Europe/Berlin", "2026-10-25T01:20:00Z", "2026-10-25T02:00:00+01:00"},
	} {
		h, err := ParseHours(c.hours)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Opened(at).Format(time.RFC3339); got != c.opened {
			t.Errorf("%q at %s opened %s, want %s", c.hours, c.at, got, c.opened)
		}
	}
}

// TestOpenTogether_TwoHours_ReturnsTheirCommonTime also tests hours without a common time.
func TestOpenTogether_TwoHours_ReturnsTheirCommonTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ a, b, opens string }{
		{"", "11:00-13:00 UTC", ""},
		{"10:00-14:00 UTC", "13:30-20:00 UTC", "13:30"},
		{"22:00-06:00 UTC", "04:00-12:00 UTC", "04:00"},
		{"22:00-06:00 UTC", "", "22:00"},
	} {
		a, _ := ParseHours(c.a)
		b, _ := ParseHours(c.b)
		got := ""
		if opens := OpenTogether(at, a, b); !opens.IsZero() {
			got = opens.UTC().Format("15:04")
		}
		if got != c.opens {
			t.Errorf("%q and %q open at %q, want %q", c.a, c.b, got, c.opens)
		}
	}
	a, _ := ParseHours("01:00-02:00 UTC")
	b, _ := ParseHours("03:00-04:00 UTC")
	if OpenTogether(at, a, b).IsZero() {
		t.Error("hours without a common time are open")
	}
}

// TestParseHours_WrongText_IsRejected checks the reasons.
func TestParseHours_WrongText_IsRejected(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"22:00 Europe/Berlin": ErrHours, "22-06 UTC": ErrHours, "25:00-06:00 UTC": ErrHours,
		"22:00-22:00 UTC": ErrHours, "22:00-06:00": ErrZone, "22:00-06:00 Mars/Base": ErrZone,
		"22:00-06:00  UTC": ErrZone, "22:00-06:00 Local": ErrZone,
	} {
		if _, err := ParseHours(text); !errors.Is(err, want) {
			t.Errorf("ParseHours(%q) = %v, want %v", text, err, want)
		}
	}
}
