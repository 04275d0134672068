package queue

import "time"

// meter is a measure of how many keys the node has run per second.
type meter struct {
	count int // keys run since the time in field at
	at    time.Time
	rate  float64
}

// meterSample is the shortest time over which the meter measures its rate of keys. lookAhead is the time
// for which the ready keys should last.
const (
	meterSample = 20 * time.Millisecond
	lookAhead   = 100 * time.Millisecond
)

// target returns how many keys should be ready: enough for lookAhead at the current rate, but at
// least `least` and at most `most`.
func (m *meter) target(now time.Time, least, most int) int {
	if passed := now.Sub(m.at); passed >= meterSample {
		m.rate = (m.rate + float64(m.count)/passed.Seconds()) / 2
		m.at, m.count = now, 0
	}
	return min(most, max(least, int(m.rate*lookAhead.Seconds())))
}
