// Package cron computes when a plan runs. A plan has five fields, as in the Unix program cron, and a time
// zone.
//
// If a clock change skips a local time of the plan, the plan runs once at the change. If a local time
// occurs twice, the plan runs at the first occurrence. A plan that runs in every hour follows elapsed hours
// instead: it runs in both occurrences of an hour, and not in a skipped hour.
//
// Time zones are compiled into the program, because some machines have none. The package does not read the
// time or the local zone of the machine.
package cron

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones

	"github.com/netresearch/go-cron"
)

// Parse returns these errors. ParseHours also returns ErrZone. Callers test for them with errors.Is.
var (
	// ErrSpec means that the five fields are invalid. The text of the error has the reason.
	ErrSpec = errors.New("not a cron schedule of five fields")

	// ErrZone means that the time zone does not exist.
	ErrZone = errors.New("no such time zone")

	// ErrNever means that the plan never runs, for example a plan for the 30th of February.
	ErrNever = errors.New("the schedule never runs")
)

// maxText is the maximum length of a spec, of the name of a zone, and of the text of Hours, in bytes.
const maxText = 200

// leapGap is the longest time in years between two occurrences of a calendar day. The gap between two 29ths
// of February is 8 years around a year like 2100.
const leapGap = 8

// allHours is the bit set of the hours in a spec that runs in every hour.
const allHours = 1<<24 - 1

// Plan holds the recurring times at which a schedule runs, in a time zone. It never changes. Parse makes a
// Plan.
type Plan struct {
	spec   *cron.SpecSchedule // on wall clocks: its zone is UTC, which has no clock changes
	zone   *time.Location
	hourly bool // runs in every hour of a day
}

// Parse parses the five fields minute, hour, day of month, month and day of week. The argument
// `zone` is the IANA name of a time zone. An example is "30 9 * * 1-5" in "Europe/Berlin".
//
// The days may contain L, W and #. @hourly, @daily, @weekly, @monthly and @yearly may replace the
// fields. If both day fields are restricted, the plan runs on days that match either of them, as
// with other crons. Parse returns ErrSpec for invalid fields, ErrZone for an unknown time zone, and
// ErrNever for a plan that never runs.
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
		return nil, fmt.Errorf("%w: too long, or with a time zone in the text", ErrSpec)
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
