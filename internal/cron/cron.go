// Package cron computes the times of recurring runs from five fields, in the Unix form, in a time
// zone.
//
// A local time that a clock change skips runs once, at the change; a time that occurs twice runs at
// its first occurrence. A plan that runs in every hour follows elapsed hours instead: it runs in both
// of two equal hours, and not in a skipped hour.
//
// Time zones are built in. The package does not read zones or the time from the machine.
package cron

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones

	"github.com/netresearch/go-cron"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrSpec means that the five fields are invalid; the text gives the reason.
	ErrSpec = errors.New("not five fields of cron")

	// ErrZone means that the time zone does not exist.
	ErrZone = errors.New("no such time zone")

	// ErrNever means that the time never occurs, such as the 30th of February.
	ErrNever = errors.New("the time never comes")
)

// maxText bounds a spec and the name of a zone, in bytes.
const maxText = 200

// leapGap is the longest gap between two equal days of the calendar, in years: the 29th of
// February, across a year like 2100.
const leapGap = 8

// allHours are the bits of a spec that runs in every hour.
const allHours = 1<<24 - 1

// Plan is a recurring time. Make it with Parse; it never changes.
type Plan struct {
	spec   *cron.SpecSchedule // on wall clocks: its zone is UTC, which has no clock changes
	zone   *time.Location
	hourly bool // runs in every hour of a day
}

// Parse parses minute, hour, day of month, month and day of week, and the IANA name of a time zone.
// An example is "30 9 * * 1-5" in "Europe/Berlin". L, W and # are allowed in the days, and @hourly,
// @daily, @weekly, @monthly and @yearly instead of the fields. If both days are restricted, one
// match is enough, as in every cron. It returns ErrSpec, ErrZone or ErrNever.
func Parse(spec, zone string) (*Plan, error) {
	loc, err := parseZone(zone)
	if err != nil {
		return nil, err
	}
	s, err := parseSpec(spec)
	if err != nil {
		return nil, err
	}
	p := &Plan{s, loc, s.Hour&allHours == allHours}
	if p.spec.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return nil, fmt.Errorf("cron: %q: %w", spec, ErrNever)
	}
	return p, nil
}

func parseZone(name string) (*time.Location, error) {
	if name == "" || len(name) > maxText || strings.EqualFold(name, "local") {
		return nil, fmt.Errorf("cron: %.50q: %w", name, ErrZone)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("cron: %.50q: %w", name, ErrZone)
	}
	return loc, nil
}

func parseSpec(text string) (*cron.SpecSchedule, error) {
	if len(text) > maxText || strings.Contains(text, "=") {
		return nil, fmt.Errorf("%w: too long, or with a zone in it", ErrSpec)
	}
	parser, err := cron.TryNewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow |
		cron.Descriptor | cron.Extended | cron.DowOrDom)
	if err != nil {
		return nil, err
	}
	parsed, err := parser.WithMaxSearchYears(leapGap + 1).Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	s, ok := parsed.(*cron.SpecSchedule)
	if !ok { // @every has no wall clock
		return nil, fmt.Errorf("%w: %q cannot be used here", ErrSpec, text)
	}
	s.Location = time.UTC
	return s, nil
}
