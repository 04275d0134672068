package cron

import "time"

// Next returns the first time after `t` at which the plan runs. Each plan has such a time.
func (p *Plan) Next(t time.Time) time.Time {
	t = t.In(p.zone)
	from := wall(t)
	for { // from one clock change to the next
		start, end := t.ZoneBounds()
		if !p.hourly && !start.IsZero() && from.Before(wallBefore(start)) {
			from = wallBefore(start).Add(-time.Second) // these times have occurred once
		}
		next := instant(p.spec.Next(from), t)
		switch {
		case end.IsZero() || next.Before(end):
			return next
		case !p.hourly && p.skipped(end):
			return end
		}
		t, from = end, wall(end).Add(-time.Second)
	}
}

// skipped reports whether a clock change skips a local time of the plan.
func (p *Plan) skipped(change time.Time) bool {
	from, to := wallBefore(change), wall(change)
	return from.Before(to) && p.spec.Next(from.Add(-time.Second)).Before(to)
}

// Recent returns the times from `first` to `now`, both included, at which the plan runs, oldest first.
// If there are more than `most` times, it returns the last `most` times.
func (p *Plan) Recent(first, now time.Time, most int) []time.Time {
	for back := time.Minute; ; back *= 2 {
		from, all := now.Add(-back), false
		if !from.After(first) {
			from, all = first.Add(-1), true
		}
		list := p.between(from, now)
		if all || len(list) >= most {
			return list[max(0, len(list)-most):]
		}
	}
}

// between returns the times from `from` (excluded) to `to` (included) at which the plan runs.
func (p *Plan) between(from, to time.Time) (list []time.Time) {
	for t := p.Next(from); !t.After(to); t = p.Next(t) {
		list = append(list, t)
	}
	return list
}

// wall returns the local time at `t` as a time in UTC.
func wall(t time.Time) time.Time {
	_, east := t.Zone()
	return t.Add(time.Duration(east) * time.Second).UTC()
}

// wallBefore returns the local time at a clock change, as a time in UTC. It uses the offset before the
// change.
func wallBefore(t time.Time) time.Time {
	_, east := t.Add(-1).Zone()
	return t.Add(time.Duration(east) * time.Second).UTC()
}

// instant converts a local time to a time, with the UTC offset that applies at `t`.
func instant(shown, t time.Time) time.Time {
	_, east := t.Zone()
	return shown.Add(-time.Duration(east) * time.Second).In(t.Location())
}
