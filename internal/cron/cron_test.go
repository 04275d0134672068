package cron_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
)

// TestClocksThatJump lists the runs around changes of the clocks, in UTC.
func TestClocksThatJump(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, spec, zone, after string
		want                    string
	}{
		{
			"a skipped time runs at the jump", "30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z",
			"03-28 01:30, 03-29 01:00, 03-30 00:30",
		},
		{
			"four skipped times run once", "*/15 2 * * *", "Europe/Berlin", "2026-03-28T01:45:00Z",
			"03-29 01:00, 03-30 00:00",
		},
		{
			"a skipped time that the jump lands on runs once", "0 2,3 * * *", "Europe/Berlin",
			"2026-03-28T02:00:00Z", "03-29 01:00, 03-30 00:00",
		},
		{
			"a doubled time runs once, at its first coming", "30 2 * * *", "Europe/Berlin",
			"2026-10-24T00:30:00Z", "10-25 00:30, 10-26 01:30",
		},
		{
			"also for who looks between the two", "30 2 * * *", "Europe/Berlin",
			"2026-10-25T00:45:00Z", "10-26 01:30",
		},
		{
			"and in the second", "*/15 2 * * *", "Europe/Berlin",
			"2026-10-25T01:10:00Z", "10-26 01:00",
		},
		{
			"what runs every hour runs in both of the doubled ones", "30 * * * *", "Europe/Berlin",
			"2026-10-24T23:30:00Z", "10-25 00:30, 10-25 01:30, 10-25 02:30",
		},
		{
			"and in none of the skipped", "30 * * * *", "Europe/Berlin",
			"2026-03-29T00:00:00Z", "03-29 00:30, 03-29 01:30, 03-29 02:30",
		},
		{
			"New York in spring", "30 2 * * *", "America/New_York", "2026-03-07T07:30:00Z",
			"03-08 07:00, 03-09 06:30",
		},
		{
			"New York in autumn", "30 1 * * *", "America/New_York", "2026-10-31T05:30:00Z",
			"11-01 05:30, 11-02 06:30",
		},
		{
			"a midnight that does not exist", "0 0 * * *", "America/Sao_Paulo",
			"2018-11-03T03:00:00Z", "11-04 03:00, 11-05 02:00",
		},
		{
			"half an hour is enough", "15 2 * * *", "Australia/Lord_Howe", "2026-10-02T15:45:00Z",
			"10-03 15:30, 10-04 15:15",
		},
		{
			"Ho Chi Minh City has no jumps", "30 2 * * *", "Asia/Ho_Chi_Minh", "2026-03-28T00:00:00Z",
			"03-28 19:30, 03-29 19:30",
		},
		{"nor has UTC", "30 2 * * *", "UTC", "2026-03-28T12:00:00Z", "03-29 02:30, 03-30 02:30"},
		{
			"either day is enough", "0 0 13 * 5", "UTC", "2026-11-01T00:00:00Z",
			"11-06 00:00, 11-13 00:00, 11-20 00:00",
		},
		{"the last day of a month", "0 0 L * *", "UTC", "2028-02-01T00:00:00Z", "02-29 00:00, 03-31 00:00"},
		{"a leap day over 2100", "0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", "02-29 00:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := cron.Parse(tt.spec, tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339, tt.after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for range strings.Split(tt.want, ", ") {
				at = p.Next(at)
				got = append(got, at.UTC().Format("01-02 15:04"))
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("%s in %s after %s: %s, want %s", tt.spec, tt.zone, tt.after, text, tt.want)
			}
		})
	}
}

func TestWhatCannotRunIsRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, spec, zone string
		want             error
	}{
		{"the 30th of February", "0 0 30 2 *", "UTC", cron.ErrNever},
		{"no field", "", "UTC", cron.ErrSpec},
		{"too few", "* * * *", "UTC", cron.ErrSpec},
		{"seconds", "* * * * * *", "UTC", cron.ErrSpec},
		{"a minute there is not", "60 * * * *", "UTC", cron.ErrSpec},
		{"a zone in the spec", "TZ=0 * * * * *", "UTC", cron.ErrSpec},
		{"an interval", "@every 10s", "UTC", cron.ErrSpec},
		{"a start of the machine", "@reboot", "UTC", cron.ErrSpec},
		{"a long text", strings.Repeat("1,", 200) + "1 * * * *", "UTC", cron.ErrSpec},
		{"no zone", "* * * * *", "", cron.ErrZone},
		{"the zone of the machine", "* * * * *", "Local", cron.ErrZone},
		{"a zone there is not", "* * * * *", "Europe/Atlantis", cron.ErrZone},
		{"a way out of the zones", "* * * * *", "../../etc/passwd", cron.ErrZone},
	}
	for _, tt := range tests {
		if _, err := cron.Parse(tt.spec, tt.zone); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestRecent(t *testing.T) {
	t.Parallel()
	p, err := cron.Parse("0 9 * * *", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	tests := []struct {
		name        string
		now         time.Time
		most, count int
		last        int // day of the year
	}{
		{"at the first, there is one", first, 5, 1, 1},
		{"before, there is none", first.Add(-1), 5, 0, 0},
		{"a day later, two", first.AddDate(0, 0, 1), 5, 2, 2},
		{"of many, the last", first.AddDate(0, 0, 99), 5, 5, 100},
		{"or the last of all", first.AddDate(0, 0, 99), 1, 1, 100},
	}
	for _, tt := range tests {
		list := p.Recent(first, tt.now, tt.most)
		if len(list) != tt.count || len(list) > 0 && list[len(list)-1].YearDay() != tt.last {
			t.Errorf("%s: %v", tt.name, list)
		}
	}
}

// FuzzPlan checks the rule of any plan: the next time is later and on a full minute, and no other
// time is between.
func FuzzPlan(f *testing.F) {
	f.Add("*/15 2 * * *", "Europe/Berlin", int64(1_774_746_000))
	f.Add("0 0 29 2 1#2", "America/New_York", int64(0))
	f.Fuzz(func(t *testing.T, spec, zone string, at int64) {
		p, err := cron.Parse(spec, zone)
		if err != nil {
			return
		}
		from := time.Unix(at%(1<<32), 0)
		next := p.Next(from)
		if !next.After(from) || next.Unix()%60 != 0 && next.Year() > 1980 {
			t.Fatalf("%q in %q: after %v comes %v", spec, zone, from, next)
		}
		half := from.Add(next.Sub(from) / 2)
		if again := p.Next(half); !again.Equal(next) {
			t.Fatalf("%q in %q: after %v comes %v, but after %v %v", spec, zone, from, next, half, again)
		}
	})
}
