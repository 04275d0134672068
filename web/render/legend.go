package render

// legend is a part of a task's bar: how many rows stand somewhere.
type legend struct {
	Name     string // as the script calls it
	Words    string
	Dot      string // class of its colour; "" for the ground of the bar
	N        int64
	X, Width string // in percent
}

// Legend returns the parts of the task's bar, in their order. Empty ones of a task that is done are
// left out, but the imported rows.
func (t TaskCard) Legend(s Standing) []legend {
	c := t.Counts
	out := []legend{
		{Name: "finish", Dot: "g", N: c.Finish},
		{Name: "failed", Dot: "w", N: t.Open(s)},
		{Name: "error", Dot: "b", N: c.Error},
		{Name: "working", Dot: "r", N: c.Working},
		{Name: "waiting", N: c.Enqueue - c.Retrying},
		{Name: "retrying", N: c.Retrying},
		{Name: "ready", N: s.Ready},
		{Name: "skipped", N: c.Skipped},
		{Name: "superseded", N: c.Superseded},
		{Name: "canceled", N: c.Canceled},
	}
	at := 0.0
	for i := range out {
		l := &out[i]
		l.Words = t.say("legend." + l.Name)
		if l.Dot != "" {
			width := share(l.N, c.Total)
			l.X, l.Width = percent(min(at, 100-width)), percent(width)
			at += width
		}
	}
	return out
}

// Always reports whether the part is shown also while it is empty.
func (l legend) Always(done bool) bool {
	switch l.Name {
	case "finish":
		return true
	case "failed", "error", "working", "waiting":
		return !done
	}
	return false
}

// share returns the width of a part, in percent.
func share(n, total int64) float64 {
	if n == 0 || total == 0 {
		return 0
	}
	return max(100*float64(n)/float64(total), leastPart)
}
