package render

import "strconv"

// Segment is a part of a task's bar. Class is a class of the stylesheet: fg, fw, fb or fr. X and Width
// are percentages.
type Segment struct{ Class, X, Width string }

// leastPart is the smallest width of a part that is not empty, in percent of the bar.
const leastPart = 0.6

// Bar returns the parts of a task's bar: rows that have finished, that need a correction, that ended in
// error, and that run. The rest of the bar is for all other rows, such as waiting, canceled, corrected and
// skipped rows. A narrow part is widened to leastPart. If the parts are then wider than the bar, the widest
// part is narrowed.
func (t TaskCard) Bar(s TaskFacts) (out []Segment) {
	c := t.Counts
	widths := []float64{0, 0, 0, 0}
	widest, used := 0, 0.0
	for i, n := range []int64{c.Finish, t.Open(s), c.Error, c.Working} {
		if n > 0 {
			widths[i] = max(100*float64(n)/float64(c.Total), leastPart)
		}
		if used += widths[i]; widths[i] > widths[widest] {
			widest = i
		}
	}
	widths[widest] -= max(used-100, 0)
	at := 0.0
	for i, width := range widths {
		if width > 0 {
			out = append(out, Segment{[]string{"fg", "fw", "fb", "fr"}[i], percent(at), percent(width)})
		}
		at += width
	}
	return out
}

func percent(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) + "%" }
