package ingest

import "time"

// maxRunYear is the last year of run_at.
const maxRunYear = 2200

// validRunAt reports whether the start time of the task is empty or a time that a task can have.
func (o *Options) validRunAt() bool {
	if o.RunAt == "" {
		return true
	}
	at, err := time.Parse(time.RFC3339, o.RunAt)
	return err == nil && at.Year() >= 1970 && at.Year() <= maxRunYear
}

// startsAt returns the start time of the task in unix milliseconds. 0 means at once: there is no
// start time, or it has passed.
func (o *Options) startsAt(now time.Time) int64 {
	at, err := time.Parse(time.RFC3339, o.RunAt)
	if err != nil || !at.After(now) {
		return 0
	}
	return at.UnixMilli()
}
