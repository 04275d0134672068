package feed

import (
	"math"
	"time"
)

// Rows of all lanes of a kind wait in Redis first in, first out. The share of a lane in the waiting
// rows is therefore its share of the workers. Lanes with more rows than room are rivals: they share
// one window by the weights of their tenants.

// leastPassed is the least number of rows for the decision that a lane is overtaken.
const leastPassed = 8

// rivals holds the lanes of one kind with more rows than room. The flow is the sum of their flows.
type rivals struct {
	laneWindow
	lanes []*laneWindow
}

// meet determines which lanes of a kind are rivals. When the rivals change, their window starts with
// the sum of their own windows.
func (r *rivals) meet(now time.Time, kind []*laneWindow) {
	all, last, same := sumOf(kind), len(r.lanes), 0
	r.lanes = nil
	for _, fl := range kind {
		was := fl.rival
		if fl.rival = fl.saturated && !fl.overtaken(all); !fl.rival {
			fl.lag = 0
			continue
		}
		r.lanes = append(r.lanes, fl)
		if was {
			same++
		}
	}
	if same != last || same != len(r.lanes) {
		r.begin(now)
	}
}

// begin sets the sum of the rivals' windows.
func (r *rivals) begin(now time.Time) {
	r.laneWindow = laneWindow{at: now}
	for _, fl := range r.lanes {
		r.window += fl.window
	}
}

// sumOf returns the sums over some lanes: rows that were taken, that wait, and that may wait.
func sumOf(active []*laneWindow) (all laneWindow) {
	for _, fl := range active {
		all.took += fl.took
		all.waiting += fl.waiting
		all.share += max(fl.share, fl.waiting)
	}
	return all
}

// overtaken reports whether workers mostly take rows of other lanes. This is so if they took twice as
// many rows as other lanes have waiting, and the lane got less than a quarter of its part. Its rows
// then wait for other rows of their keys, so other lanes need not wait for the lane. all holds the
// sums of the lanes of the kind.
func (fl *laneWindow) overtaken(all laneWindow) bool {
	if !fl.saturated {
		fl.passed = passing{}
		return false
	}
	p := &fl.passed
	p.by, p.got = p.by+all.took-fl.took, p.got+fl.took
	p.due += float64(all.took) * float64(fl.waiting) / float64(max(all.waiting, 1))
	p.ahead = max(p.ahead, all.share-max(fl.share, fl.waiting), leastPassed)
	if p.by > 2*p.ahead {
		*p = passing{found: float64(4*p.got) < p.due}
	}
	return p.found
}

// passing compares the rows of a lane that workers took since a time with the rows of other lanes.
type passing struct {
	by    int64   // rows of other lanes that workers took
	ahead int64   // the most rows of other lanes that waited
	got   int64   // rows of the lane that workers took
	due   float64 // the same, if workers had taken rows in proportion to the waiting rows
	found bool    // the lane was overtaken at the last check
}

// adapt adapts the window of all rivals, and records how much less than its share each got.
func (r *rivals) adapt(now time.Time, opt Options) {
	r.waiting, r.took, r.weight = 0, 0, 0
	for _, fl := range r.lanes {
		r.waiting, r.took, r.weight = r.waiting+fl.waiting, r.took+fl.took, r.weight+fl.weight
		r.bound = r.bound || fl.bound
		fl.bound = false
	}
	r.left += r.took
	r.laneWindow.adapt(now, r.left)
	r.window = max(r.window, opt.MinWindow*int64(len(r.lanes)))
	for _, fl := range r.lanes { // the greatest part must fit
		r.window = min(r.window, int64(float64(opt.Window)*r.weight/fl.weight))
		fl.lag += float64(r.took)*fl.weight/r.weight - float64(fl.took)
	}
}

// share sets how many rows of each lane of a kind may wait: at least one, and at most a window.
func (r *rivals) share(kind []*laneWindow, opt Options) {
	for _, fl := range kind {
		part := r.part(fl, fl.window)
		if fl.rival {
			fl.lag = min(max(fl.lag, -part/2), part/2+1)
			fl.window = min(max(int64(part), opt.MinWindow), opt.Window)
		}
		fl.share = min(max(int64(math.Floor(part+fl.lag+0.5)), 1), opt.Window)
	}
}

// part returns the part of a lane. A rival has its part of the common window. Another lane has its own
// window, or its part as a rival if that is less.
func (r *rivals) part(fl *laneWindow, window int64) float64 {
	switch {
	case fl.rival:
		return float64(r.window) * fl.weight / r.weight
	case len(r.lanes) == 0:
		return float64(window)
	}
	return min(float64(window), float64(r.window+window)*fl.weight/(r.weight+fl.weight))
}

// resubmittedShare returns how many resubmitted rows of a lane may wait, in their own window. They
// wait among the rows of other lanes, so the weights of these lanes bound them, too.
func (p *windows) resubmittedShare(kind string, fl *laneWindow, window int64) int64 {
	r := p.rivals[kind]
	if r == nil || fl.rival && len(r.lanes) == 1 {
		return window
	}
	return max(min(window, int64(r.part(fl, window))), 1)
}
