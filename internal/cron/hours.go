package cron

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrHours means that a text does not describe a part of the day. A valid text is "22:00-06:00
// Europe/Berlin".
var ErrHours = errors.New("not a span of hours")

const day = 24 * 60 // minutes

// Hours is a part of every day in a time zone. It may contain midnight. ParseHours makes Hours, which never
// change. The zero value is the whole day.
type Hours struct {
	from, to int // minutes of the clock; to is not included
	zone     *time.Location
}

// ParseHours parses a start, an end and the IANA name of a time zone, such as "22:00-06:00 Europe/Berlin".
// An empty text is the whole day. It returns ErrHours for invalid or equal times, and ErrZone for an
// unknown time zone.
func ParseHours(text string) (h Hours, err error) {
	if text == "" {
		return h, nil
	}
	span, zone, _ := strings.Cut(text, " ")
	from, to, _ := strings.Cut(span, "-")
	begin, err1 := time.Parse("15:04", from)
	end, err2 := time.Parse("15:04", to)
	if len(text) > maxText || err1 != nil || err2 != nil || begin.Equal(end) {
		return h, fmt.Errorf("cron: %.50q: %w: write it as 22:00-06:00 Europe/Berlin", text, ErrHours)
	}
	h.from, h.to = clock(begin), clock(end)
	h.zone, err = parseZone(zone)
	return h, err
}

// String returns the text from which ParseHours makes these hours. It is "" for the whole day.
func (h Hours) String() string {
	if h.zone == nil {
		return ""
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d %s", h.from/60, h.from%60, h.to/60, h.to%60, h.zone)
}

// Opens returns the zero time if the hours contain `t`, otherwise the time at which they begin next. A
// clock change may begin, end or skip the hours.
func (h Hours) Opens(t time.Time) time.Time {
	if h.contains(t) {
		return time.Time{}
	}
	for t = t.In(h.zone); ; { // from one clock change to the next
		_, change := t.ZoneBounds()
		wait := time.Duration((h.from-clock(t)+day)%day) * time.Minute
		next := t.Truncate(time.Minute).Add(wait)
		switch {
		case change.IsZero() || next.Before(change):
			return next
		case h.contains(change):
			return change
		}
		t = change
	}
}

// Opened returns the time at which the hours that contain `t` began. It is the zero time for the whole day.
func (h Hours) Opened(t time.Time) time.Time {
	if h.zone == nil {
		return time.Time{}
	}
	for t = t.In(h.zone); ; {
		change, _ := t.ZoneBounds()
		began := t.Truncate(time.Minute).Add(-time.Duration((clock(t)-h.from+day)%day) * time.Minute)
		switch {
		case change.IsZero() || !began.Before(change):
			return began
		case !h.contains(change.Add(-1)):
			return change
		}
		t = change.Add(-1)
	}
}

// contains reports whether the local time at `t` is within the hours.
func (h Hours) contains(t time.Time) bool {
	if h.zone == nil {
		return true
	}
	at := clock(t.In(h.zone))
	if h.from < h.to {
		return h.from <= at && at < h.to
	}
	return h.from <= at || at < h.to
}

// clock returns the number of minutes since midnight.
func clock(t time.Time) int { return t.Hour()*60 + t.Minute() }

// OpenTogether returns the zero time if all hours contain `t`, otherwise the next time that all hours
// contain. If the hours have no time in common, it returns the beginning of one of them.
func OpenTogether(t time.Time, list ...Hours) (opens time.Time) {
	for range 2 * len(list) {
		before := t
		for _, h := range list {
			if next := h.Opens(t); !next.IsZero() {
				t, opens = next, next
			}
		}
		if t.Equal(before) {
			break
		}
	}
	return opens
}
