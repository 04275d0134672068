package dispatch_test

import (
	"cmp"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
)

// reference is a scheduler in memory, without a window and Redis. It returns the rows that a
// worker may start, and the position of a feeder.
type reference struct{ lots []*lot } // by the number of their task

// lot is a task of the reference.
type lot struct {
	num, priority    int64
	lane             string
	rows             []*row
	passed           int  // rows that the feeder has pushed or held
	paused, canceled bool // the task or its tenant
	late             bool // the task was paused once: later tasks may have overtaken it
}

// row is a row of a lot. A row that was resubmitted is again, and holds up no other.
type row struct {
	key                  string
	ended, again, pushed bool
}

// order returns the lots of a lane in feeding order.
func (s *reference) order(lane string) []*lot {
	out := slices.DeleteFunc(slices.Clone(s.lots), func(l *lot) bool { return l.lane != lane || l.canceled })
	slices.SortStableFunc(out, func(a, b *lot) int { return cmp.Compare(b.priority, a.priority) })
	return out
}

// pass moves a lane on by n rows.
func (s *reference) pass(lane string, n int) {
	for _, l := range s.order(lane) {
		if !l.paused {
			step := min(n, len(l.rows)-l.passed)
			l.passed, n = l.passed+step, n-step
		}
	}
}

// may returns the rows of a lane that a worker may start, with their lots: of each key and
// priority the first row that has not ended. A paused lot ends what is in Redis.
func (s *reference) may(lane string) map[events.ID]*lot {
	type turn struct{ key, priority, lot any }
	out, taken := map[events.ID]*lot{}, map[turn]bool{}
	for _, l := range s.order(lane) {
		for i, r := range l.rows {
			all, own := turn{r.key, l.priority, nil}, turn{r.key, l.priority, l}
			if !r.ended && !taken[all] && !taken[own] && (r.pushed || !l.paused) {
				out[events.NewID(l.num, int64(i)+1)] = l
			}
			taken[own] = taken[own] || !r.ended && !r.again
			taken[all] = taken[all] || !r.ended && !r.again && !l.late
		}
	}
	return out
}
