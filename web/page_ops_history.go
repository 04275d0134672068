package web

import (
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/queue"
)

// opsHistory is what charts show: the table that they are drawn from.
type opsHistory struct {
	Ranges []opsLink
	Points []opsPoint // one a step, oldest first; the last goes up to now
	Span   int64      // seconds that it may go back

	since time.Time
	step  time.Duration
}

// opsPoint is how one or all queues were at the end of a step, and how fast
// they were since the one before.
type opsPoint struct {
	At                    *string // when the step began
	Lag                   float64 // the longest, in seconds
	Waiting, Busy, Morgue int64
	Done, Failed          float64 // a second

	ms int64
}

// The steps of the last hour, and of the last day.
const (
	hourStep = queue.SampleEvery
	dayStep  = 10 * time.Minute
)

// history is an empty one, of the range that a request asks for.
func (p *pages) history(c *gin.Context) opsHistory {
	path, day := c.Request.URL.Path, c.Query("range") == "day"
	h, back := opsHistory{step: hourStep}, time.Hour
	in := tongueOf(c)
	h.Ranges = []opsLink{
		{path, in.say("ops.last.hour"), !day}, {path + "?range=day", in.say("ops.last.day"), day},
	}
	if day {
		h.step, back = dayStep, queue.SamplesKept
	}
	h.since, h.Span = p.opt.Now().Add(-back), int64(back/time.Second)
	return h
}

// add adds a queue to the history and returns how it is now, with the rates of
// the last minute or two.
func (h *opsHistory) add(samples []queue.Sample, now queue.Sample) opsPoint {
	samples = append(samples, now)
	steps := thin(samples, h.step)
	for i := range steps {
		h.put(pointOf(&steps[max(i-1, 0)], &steps[i]))
	}
	minutes := thin(samples, hourStep)
	n := len(minutes)
	return pointOf(&minutes[max(n-2, 0)], &minutes[n-1])
}

// thin keeps the last sample of each step, with the longest lag of the step.
func thin(samples []queue.Sample, step time.Duration) (out []queue.Sample) {
	for _, s := range samples {
		if n := len(out); n > 0 && out[n-1].At.Truncate(step).Equal(s.At.Truncate(step)) {
			s.Lag = max(s.Lag, out[n-1].Lag)
			out = out[:n-1]
		}
		out = append(out, s)
	}
	return out
}

// pointOf is a sample with what was done since the one before. Counts that went
// down are those of another Redis.
func pointOf(before, s *queue.Sample) opsPoint {
	p := opsPoint{
		Lag: s.Lag.Seconds(), Waiting: s.Length, Busy: s.Busy, Morgue: s.MorgueLength, ms: s.At.UnixMilli(),
	}
	if passed := s.At.Sub(before.At).Seconds(); passed > 0 {
		p.Done = float64(max(s.Processed-before.Processed, 0)) / passed
		p.Failed = float64(max(s.Failed-before.Failed, 0)) / passed
	}
	return p
}

// put adds a point to those of the other queues.
func (h *opsHistory) put(p opsPoint) {
	p.ms -= p.ms % h.step.Milliseconds()
	i, found := slices.BinarySearchFunc(h.Points, p.ms, func(a opsPoint, ms int64) int { return int(a.ms - ms) })
	if !found {
		h.Points = slices.Insert(h.Points, i, opsPoint{ms: p.ms, At: instant(p.ms)})
	}
	h.Points[i].add(p)
}

// add adds another queue; the lag of both is the longer.
func (p *opsPoint) add(q opsPoint) {
	p.Lag = max(p.Lag, q.Lag)
	p.Waiting, p.Busy, p.Morgue = p.Waiting+q.Waiting, p.Busy+q.Busy, p.Morgue+q.Morgue
	p.Done, p.Failed = p.Done+q.Done, p.Failed+q.Failed
}
