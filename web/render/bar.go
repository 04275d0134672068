package render

import "strconv"

// Segment is a part of a bar; Class is one of fg, fw, fb and fr of the stylesheet.
type Segment struct{ Class, X, Width string }

// leastPart is the width of a part that is not 0, in percent of the bar.
const leastPart = 0.6

// Bar returns the parts of a bar of rows: finished, to correct, in error and running. The rest is
// waiting or canceled. A narrow part is widened at the cost of the widest.
func (t TaskCard) Bar() (out []Segment) {
	c := t.Counts
	widths := []float64{0, 0, 0, 0}
	widest, used := 0, 0.0
	for i, n := range []int64{c.Finish, c.ToCorrect(), c.Error, c.Working} {
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
