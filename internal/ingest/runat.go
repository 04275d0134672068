package ingest

import "time"

// maxRunYear is the last year that run_at may have.
const maxRunYear = 2200

// validRunAt reports whether run_at is empty, or a time from 1970 to maxRunYear.
func (o *Options) validRunAt() bool {
	if o.RunAt == "" {
		return true
	}
	at, err := time.Parse(time.RFC3339, o.RunAt)
	return err == nil && at.Year() >= 1970 && at.Year() <= maxRunYear
}

// startsAt returns the start time of the task in unix milliseconds. 0 means that the task starts at
// once: it has no start time, or the time has passed.
func (o *Options) startsAt(now time.Time) int64 {
	at, err := time.Parse(time.RFC3339, o.RunAt)
	if err != nil || !at.After(now) {
		return 0
	}
	return at.UnixMilli()
}
