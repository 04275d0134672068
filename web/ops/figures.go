package ops

import (
	"fmt"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
)

// opsFigure is one number in the strip above the table of queues.
type opsFigure struct {
	Words, Value, More, Tone string
}

// figures returns the numbers above the table of queues. Only the owner sees the numbers from Redis,
// because they cover all tenants.
func figures(in locale.Printer, v *opsHomePage) []opsFigure {
	t := &v.Total
	out := []opsFigure{
		{Words: in.Text("ops.figure.waiting"), Value: in.Integer(t.InLedger + t.Length), More: in.Text("ops.figure.ledger", "n", t.InLedger)},
		{Words: in.Text("ops.figure.oldest"), Value: in.Duration(int64(t.Lag)), More: render.Shown(t.Name)},
	}
	if t.Late() {
		out[1].Tone = render.ToneBad
	}
	if n := t.Stalled.Behind + t.Stalled.Paused; n > 0 {
		out = append(out, opsFigure{
			Words: in.Text("ops.figure.stalled"), Value: in.Integer(n),
			More: in.Text("ops.figure.stalled.of", "behind", t.Stalled.Behind, "paused", t.Stalled.Paused),
		})
	}
	if !v.Owner {
		return out
	}
	out[0].More = in.Text("ops.figure.split", "ledger", t.InLedger, "redis", t.Length)
	running, slots := 0, 0
	for i := range v.Nodes {
		running, slots = running+v.Nodes[i].Running, slots+v.Nodes[i].Concurrency
	}
	faults := opsFigure{Words: in.Text("ops.figure.in_error"), Value: in.Integer(t.InError.Sum()), More: in.Text("ops.figure.dead", "n", t.MorgueLength)}
	if t.MorgueLength > 0 || t.InError.Sum() > 0 {
		faults.Tone = render.ToneWarn
	}
	return append(out,
		opsFigure{Words: in.Text("ops.figure.busy"), Value: in.Text("ops.of", "n", running, "all", slots), More: in.Text("ops.figure.nodes", "n", len(v.Nodes))},
		opsFigure{Words: in.Text("ops.col.processed"), Value: in.Rate(t.Now.Done), More: v.History.before(in)},
		opsFigure{Words: in.Text("ops.figure.failed"), Value: in.Rate(t.FailedShare()) + " %", More: in.Text("ops.figure.attempts", "n", t.failed, "all", t.attempts)},
		faults)
}

// before returns a text with the number of jobs done per second an hour ago. If the history covers less
// than 54 minutes, the text states instead how much time the history covers. If the history covers less
// than queue.SampleEvery, the text states that there is no older data. The first point of the history
// has no rate, so the second is used.
func (h *opsHistory) before(in locale.Printer) string {
	kept := h.kept()
	switch {
	case kept < queue.SampleEvery:
		return in.Text("ops.figure.new")
	case kept < queue.SamplesKept*9/10:
		return in.Text("ops.figure.since", "time", in.Duration(int64(kept/time.Second)))
	}
	return in.Text("ops.figure.before", "rate", in.Rate(h.Points[1].Done))
}

// kept returns the time from the first point to the last. It returns 0 for fewer than three points.
func (h *opsHistory) kept() time.Duration {
	if len(h.Points) < 3 {
		return 0
	}
	return time.Duration(h.Points[len(h.Points)-1].ms-h.Points[0].ms) * time.Millisecond
}

// sparkWide and sparkHigh are the width and the height of a sparkline, in pixels.
const (
	sparkWide = 96
	sparkHigh = 22
)

// opsLine is a small chart without axes. It holds the points of an SVG polyline, and the greatest value,
// which the polyline reaches at the top of the chart. The points are "" for fewer than two values.
type opsLine struct {
	Points string
	Most   float64
}

// sparkline returns a line that shows how many jobs were done per second, beginning at the time `since`. Dead
// jobs do not count. The line is empty if there are fewer than two rates.
func sparkline(samples []queue.Sample, now queue.Sample, since time.Time) opsLine {
	all := append(append([]queue.Sample{}, samples...), now)
	rates, most := make([]float64, len(all)), 0.0
	for i := 1; i < len(all); i++ {
		rates[i] = pointOf(&all[i-1], &all[i]).Done
		most = max(most, rates[i])
	}
	if len(all) < 3 {
		return opsLine{}
	}
	var b strings.Builder
	for i := 1; i < len(all); i++ {
		x := sparkWide * all[i].At.Sub(since).Seconds() / queue.SamplesKept.Seconds()
		y := sparkHigh - 1.0
		if most > 0 {
			y -= (sparkHigh - 2) * rates[i] / most
		}
		fmt.Fprintf(&b, "%.1f,%.1f ", min(max(x, 0), sparkWide), y)
	}
	return opsLine{strings.TrimSpace(b.String()), most}
}
