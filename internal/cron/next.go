package cron

import "time"

// Next is the first time to run after t. There always is one.
func (p *Plan) Next(t time.Time) time.Time {
	t = t.In(p.zone)
	from := wall(t)
	for { // from one change of the clocks to the next
		start, end := t.ZoneBounds()
		if !p.hourly && !start.IsZero() && from.Before(wallBefore(start)) {
			from = wallBefore(start).Add(-time.Second) // these times have come once
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

// skipped tells whether the clocks leave out a time to run when they change.
func (p *Plan) skipped(change time.Time) bool {
	from, to := wallBefore(change), wall(change)
	return from.Before(to) && p.spec.Next(from.Add(-time.Second)).Before(to)
}

// Recent are the last of the times to run from first to now, both included, at
// most so many, the oldest first.
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

// between are the times to run after from, up to to.
func (p *Plan) between(from, to time.Time) (list []time.Time) {
	for t := p.Next(from); !t.After(to); t = p.Next(t) {
		list = append(list, t)
	}
	return list
}

// wall is what the clocks of its zone show at t, as if they were those of UTC.
func wall(t time.Time) time.Time {
	_, east := t.Zone()
	return t.Add(time.Duration(east) * time.Second).UTC()
}

// wallBefore is what the clocks showed when they were changed at t, had they not
// been.
func wallBefore(t time.Time) time.Time {
	_, east := t.Add(-1).Zone()
	return t.Add(time.Duration(east) * time.Second).UTC()
}

// instant is when the clocks, as they are set at t, show a wall time.
func instant(shown, t time.Time) time.Time {
	_, east := t.Zone()
	return shown.Add(-time.Duration(east) * time.Second).In(t.Location())
}
