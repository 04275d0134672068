package feed_test

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// reference is a scheduler in memory, without a window and without Redis. It returns the rows that
// a worker may start, and the position of a feeder.
type reference struct {
	lots    []*lot           // by the number of their task
	weights map[string]int64 // of tenants
}

// lot is a task of the reference.
type lot struct {
	num, priority    int64
	lane             string
	rows             []*row
	passed           int  // rows that the feeder has pushed or held
	paused, canceled bool // the task or its tenant
	late             bool // the task was paused once: later tasks may have overtaken it
}

// row is a row of a lot. The field again marks a resubmitted row, which holds up no other row.
type row struct {
	key                  string
	ended, again, pushed bool
}

// order returns the lots of a lane in the order in which they are fed.
func (s *reference) order(lane string) []*lot {
	out := slices.DeleteFunc(slices.Clone(s.lots), func(l *lot) bool { return l.lane != lane || l.canceled })
	slices.SortStableFunc(out, func(a, b *lot) int { return cmp.Compare(b.priority, a.priority) })
	return out
}

// pass moves the position of a lane by n rows.
func (s *reference) pass(lane string, n int) {
	for _, l := range s.order(lane) {
		if !l.paused {
			step := min(n, len(l.rows)-l.passed)
			l.passed, n = l.passed+step, n-step
		}
	}
}

// share returns the least number of rows of a lane that wait for a worker, if the lane has more
// rows than room. The window of each lane has the given number of rows. Lanes of other tenants with
// rows of the kind share the windows by weight. A lane that is ahead of its share may get only half
// of it.
func (s *reference) share(lane string, window int64) int64 {
	tenant, kind, _ := strings.Cut(lane, "/")
	for other, weight := range s.weights {
		if own := s.weights[tenant]; other != tenant && s.unended(other+"/"+kind) {
			window = min(window, 2*window*own/(own+weight)) / 2
		}
	}
	return max(window, 1)
}

// unended reports whether a lane has rows that have not ended.
func (s *reference) unended(lane string) bool {
	return slices.ContainsFunc(s.order(lane), func(l *lot) bool {
		return slices.ContainsFunc(l.rows, func(r *row) bool { return !r.ended })
	})
}

// may returns the rows of a lane that a worker may start, with their lots. These are, for each key
// and priority, the first row that has not ended. Rows of a paused lot that are in Redis still run.
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
