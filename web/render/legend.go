package render

// legend is one entry of the legend below a task's bar, with its number of rows.
type legend struct {
	Name     string // name of the part in the script
	Words    string
	Dot      string // class of the color of its part in the bar; "" without a part
	N        int64
	X, Width string // place and width of its part in the bar, in percent; "" without a part
}

// Legend returns the entries of the legend of the task's bar, in their order. The template hides an entry
// without rows, unless Always returns true for it.
func (t TaskCard) Legend(s TaskFacts) []legend {
	c := t.Counts
	out := []legend{
		{Name: "finish", Dot: "g", N: c.Finish},
		{Name: "failed", Dot: "w", N: t.Open(s)},
		{Name: "error", Dot: "b", N: c.Error},
		{Name: "working", Dot: "r", N: c.Working},
		{Name: "waiting", N: c.Enqueue - c.Retrying},
		{Name: "retrying", N: c.Retrying},
		{Name: "ready", N: s.Runs()},
		{Name: "overtaken", N: s.Overtaken},
		{Name: "skipped", N: c.Skipped},
		{Name: "superseded", N: c.Superseded},
		{Name: "canceled", N: c.Canceled},
	}
	at := 0.0
	for i := range out {
		l := &out[i]
		l.Words = t.say("legend." + l.Name)
		if l.Name == "finish" && (t.IsExport() || t.IsBatch()) {
			l.Words = t.say("legend.exported")
		}
		if l.Name == "failed" && t.Closed {
			l.Words = t.say("legend.failed.closed")
		}
		if l.Dot != "" {
			width := share(l.N, c.Total)
			l.X, l.Width = percent(min(at, 100-width)), percent(width)
			at += width
		}
	}
	return out
}

// Always reports whether the page shows the entry even if it has no rows. The argument `done` is true for
// a task that is done.
func (l legend) Always(done bool) bool {
	switch l.Name {
	case "finish":
		return true
	case "failed", "error", "working", "waiting":
		return !done
	}
	return false
}

// share returns the width of a part with n of total rows, in percent.
func share(n, total int64) float64 {
	if n == 0 || total == 0 {
		return 0
	}
	return max(100*float64(n)/float64(total), leastPart)
}
