package queue

import "time"

// meter measures how many keys a second are finished.
type meter struct {
	count int // finished since at
	at    time.Time
	rate  float64
}

// Bounds of the measure: how long one sample takes at least, and how much work
// lies ready beside what runs.
const (
	meterSample = 20 * time.Millisecond
	lookAhead   = 100 * time.Millisecond
)

// target tells how many keys should lie ready, between least and most.
func (m *meter) target(now time.Time, least, most int) int {
	if passed := now.Sub(m.at); passed >= meterSample {
		m.rate = (m.rate + float64(m.count)/passed.Seconds()) / 2
		m.at, m.count = now, 0
	}
	return min(most, max(least, int(m.rate*lookAhead.Seconds())))
}
