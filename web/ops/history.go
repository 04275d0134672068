package ops

import (
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
)

// opsHistory holds the data of the charts on the overview and on the page of a queue.
type opsHistory struct {
	Points []opsPoint // one a minute, oldest first; the last ends now
	Span   int64      // time that the charts cover, in seconds

	since time.Time
}

// opsPoint is the state of one queue, or of all queues together, at the end of a minute. Its rates
// cover the time since the previous point.
type opsPoint struct {
	At                    *string // start of the minute
	Lag                   float64 // longest lag of the queues, in seconds
	Waiting, Busy, Morgue int64
	Done, Failed          float64 // jobs done and attempts failed per second

	ms int64
}

// history returns a history without points. It covers the duration queue.SamplesKept until now.
func (p *Handlers) history() opsHistory {
	return opsHistory{since: p.Now().Add(-queue.SamplesKept), Span: int64(queue.SamplesKept / time.Second)}
}

// add adds the samples and the present state `now` of a queue to the history. It returns the present state,
// with the rates since the last sample of an earlier minute. Without such a sample, the rates are 0.
func (h *opsHistory) add(samples []queue.Sample, now queue.Sample) (last opsPoint) {
	if n := len(samples); n > 0 && samples[n-1].At.Truncate(queue.SampleEvery).Equal(now.At.Truncate(queue.SampleEvery)) {
		now.Lag = max(now.Lag, samples[n-1].Lag)
		samples = samples[:n-1]
	}
	minutes := append(slices.Clip(samples), now)
	for i := range minutes {
		last = pointOf(&minutes[max(i-1, 0)], &minutes[i])
		h.put(last)
	}
	return last
}

// pointOf returns the point of the sample `s`, with the rates since the sample `before`. If a count is
// lower than in `before`, Redis has lost data, and the rate is 0.
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

// put adds a point of one queue to the point of its minute, which sums all queues.
func (h *opsHistory) put(p opsPoint) {
	p.ms -= p.ms % queue.SampleEvery.Milliseconds()
	i, found := slices.BinarySearchFunc(h.Points, p.ms, func(a opsPoint, ms int64) int { return int(a.ms - ms) })
	if !found {
		h.Points = slices.Insert(h.Points, i, opsPoint{ms: p.ms, At: textutil.Instant(p.ms)})
	}
	h.Points[i].add(p)
}

// add adds `q`, a point of another queue. The new lag is the longer of the two lags.
func (p *opsPoint) add(q opsPoint) {
	p.Lag = max(p.Lag, q.Lag)
	p.Waiting, p.Busy, p.Morgue = p.Waiting+q.Waiting, p.Busy+q.Busy, p.Morgue+q.Morgue
	p.Done, p.Failed = p.Done+q.Done, p.Failed+q.Failed
}
