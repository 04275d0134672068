package queue

import "time"

// meter measures how many keys finish per second.
type meter struct {
	count int // finished since at
	at    time.Time
	rate  float64
}

// The shortest sample, and the amount of work that should be ready beside the running work.
const (
	meterSample = 20 * time.Millisecond
	lookAhead   = 100 * time.Millisecond
)

// target returns how many keys should be ready, between least and most.
func (m *meter) target(now time.Time, least, most int) int {
	if passed := now.Sub(m.at); passed >= meterSample {
		m.rate = (m.rate + float64(m.count)/passed.Seconds()) / 2
		m.at, m.count = now, 0
	}
	return min(most, max(least, int(m.rate*lookAhead.Seconds())))
}
