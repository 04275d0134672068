package dispatch

import (
	"math"
	"time"
)

// Rows of all lanes of a kind wait in Redis first in, first out. So the part of a lane in the
// rows that wait is its part of the workers. Lanes that have more rows than room are rivals:
// they have one window, and share it by the weights of their tenants.

// leastPassed is the least number of rows by which a lane is found to be passed by.
const leastPassed = 8

// rivals is the lanes of one kind that have more rows than room. The flow is that of all.
type rivals struct {
	flow
	lanes []*flow
}

// meet finds out which lanes of a kind are rivals. Their window begins with the sum of what they
// had for themselves.
func (r *rivals) meet(now time.Time, kind []*flow) {
	var all flow
	for _, fl := range kind {
		all.took, all.waiting, all.share = all.took+fl.took, all.waiting+fl.waiting, all.share+max(fl.share, fl.waiting)
	}
	was, same := len(r.lanes), 0
	r.lanes = nil
	for _, fl := range kind {
		rival := fl.pressed && !fl.overtaken(all)
		if rival && fl.rival {
			same++
		}
		if fl.rival = rival; rival {
			r.lanes = append(r.lanes, fl)
		} else {
			fl.lag = 0
		}
	}
	if same != was || same != len(r.lanes) {
		r.flow = flow{at: now}
		for _, fl := range r.lanes {
			r.window += fl.window
		}
	}
}

// overtaken reports whether workers pass by the rows of a lane: of twice as many rows as others
// have waiting, it got less than a quarter of its part. Its rows then wait for others of their
// keys, and other lanes need not wait for it. all is the sums of the lanes of the kind.
func (fl *flow) overtaken(all flow) bool {
	if !fl.pressed {
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

// passing is how workers treated the rows of a lane since a time.
type passing struct {
	by    int64   // rows of other lanes that they took
	ahead int64   // rows of other lanes that waited, at most
	got   int64   // rows of the lane that they took
	due   float64 // the same, had they taken rows as they waited
	found bool    // the last time, they passed by the rows of the lane
}

// adapt adapts the window of all rivals, and notes how much each was given less than its share.
func (r *rivals) adapt(now time.Time, opt Options) {
	r.waiting, r.took, r.weight = 0, 0, 0
	for _, fl := range r.lanes {
		r.waiting, r.took, r.weight = r.waiting+fl.waiting, r.took+fl.took, r.weight+fl.weight
		r.bound = r.bound || fl.bound
		fl.bound = false
	}
	r.left += r.took
	r.flow.adapt(now, r.left)
	r.window = max(r.window, opt.Least*int64(len(r.lanes)))
	for _, fl := range r.lanes { // the greatest part must fit
		r.window = min(r.window, int64(float64(opt.Window)*r.weight/fl.weight))
		fl.lag += float64(r.took)*fl.weight/r.weight - float64(fl.took)
	}
}

// share sets how many rows of each lane of a kind may wait. Rivals get their parts, each at least
// a row and at most so many. Another lane has its own window, or as much as it would get as a
// rival if that is less.
func (r *rivals) share(kind []*flow, opt Options) {
	for _, fl := range kind {
		part := float64(fl.window)
		if fl.rival {
			part = float64(r.window) * fl.weight / r.weight
			fl.lag = min(max(fl.lag, -part/2), part/2+1)
			fl.window = min(max(int64(part), opt.Least), opt.Window)
		} else if len(r.lanes) > 0 {
			part = min(part, float64(r.window+fl.window)*fl.weight/(r.weight+fl.weight))
		}
		fl.share = min(max(int64(math.Floor(part+fl.lag+0.5)), 1), opt.Window)
	}
}
