package feed

import (
	"math"
	"time"
)

// Rows of all lanes of a kind wait in Redis first in, first out. The share of a lane in the waiting
// rows is therefore its share of the workers. Lanes with more rows than room are rivals: they share
// one window by the weights of their tenants.

// leastPassed is the least value of passing.ahead, so that a few rows do not decide that a lane is
// overtaken.
const leastPassed = 8

// rivals holds the lanes of one kind with more rows than room, except overtaken lanes. The embedded
// laneWindow is their common window, with the sums of their counts.
type rivals struct {
	laneWindow
	lanes []*laneWindow
}

// update determines the rivals: the lanes that are saturated and not overtaken. When the rivals change,
// their common window starts with the sum of their own windows.
func (r *rivals) update(now time.Time, kind []*laneWindow) {
	all, last, same := sumOf(kind), len(r.lanes), 0
	r.lanes = nil
	for _, fl := range kind {
		rivalBefore := fl.rival
		if fl.rival = fl.saturated && !fl.overtaken(all); !fl.rival {
			fl.lag = 0
			continue
		}
		r.lanes = append(r.lanes, fl)
		if rivalBefore {
			same++
		}
	}
	if same != last || same != len(r.lanes) {
		r.resetWindow(now)
	}
}

// resetWindow sets the common window to the sum of the rivals' windows.
func (r *rivals) resetWindow(now time.Time) {
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

// overtaken reports whether workers mostly took rows of other lanes before the last check. A check
// follows when workers have taken more than 2*passing.ahead rows of other lanes. The lane is overtaken if
// passing.got is less than a quarter of passing.due. A lane that is not saturated is never overtaken. The
// rows of an overtaken lane wait for earlier rows of their keys, so other lanes need not wait for this
// lane. The argument `all` holds the sums over all lanes of the kind.
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

// passing holds the numbers of rows of a lane, and of the other lanes of its kind, that workers
// have taken since the last check.
type passing struct {
	by    int64   // rows of other lanes that workers took
	ahead int64   // the most rows of other lanes that waited or, by the shares of these lanes, could wait
	got   int64   // rows of the lane that workers took
	due   float64 // the same, if workers had taken rows in proportion to the waiting rows
	found bool    // the lane was overtaken at the last check
}

// adapt adapts the common window, and records for each rival how many rows it is behind its share.
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
	for _, fl := range r.lanes { // the greatest part must fit into Options.Window
		r.window = min(r.window, int64(float64(opt.Window)*r.weight/fl.weight))
		fl.lag += float64(r.took)*fl.weight/r.weight - float64(fl.took)
	}
}

// setShares sets how many rows of each lane of a kind may wait: at least one, and at most
// Options.Window.
func (r *rivals) setShares(kind []*laneWindow, opt Options) {
	for _, fl := range kind {
		part := r.part(fl, fl.window)
		if fl.rival {
			fl.lag = min(max(fl.lag, -part/2), part/2+1)
			fl.window = min(max(int64(part), opt.MinWindow), opt.Window)
		}
		fl.share = min(max(int64(math.Floor(part+fl.lag+0.5)), 1), opt.Window)
	}
}

// part returns how many rows of a lane may wait. For a rival, this is its part of the common window, by
// weight. For another lane it is the argument `window`, but at most the part that the lane would have as
// a rival.
func (r *rivals) part(fl *laneWindow, window int64) float64 {
	switch {
	case fl.rival:
		return float64(r.window) * fl.weight / r.weight
	case len(r.lanes) == 0:
		return float64(window)
	}
	return min(float64(window), float64(r.window+window)*fl.weight/(r.weight+fl.weight))
}

// resubmittedShare returns how many resubmitted rows of a lane may wait in Redis. This is the argument
// `window`, or less if other lanes of the kind are rivals. The weights of the lanes then bound the number,
// but it is at least 1.
func (p *windows) resubmittedShare(kind string, fl *laneWindow, window int64) int64 {
	r := p.rivals[kind]
	if r == nil || fl.rival && len(r.lanes) == 1 {
		return window
	}
	return max(min(window, int64(r.part(fl, window))), 1)
}
