package dispatch

import (
	"math"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// Shards are first in, first out for all tenants, so what one lane keeps
// waiting in Redis holds up the others. A lane therefore gets no more than its
// workers take in ahead, give or take what they take in a step.
const (
	ahead = 500 * time.Millisecond
	step  = 100 * time.Millisecond
)

// decay is how much of a window is left after a step in which it was too wide.
const decay = 0.75

// pace decides how wide the window of each lane is: it doubles while the
// workers empty it, and shrinks to what they take in a while. All it knows
// comes from the counts in the ledger, so that any number of feeders agree
// closely enough.
type pace struct {
	opt   Options
	lanes map[int64]*flow // by the number of the lane
	round int64
}

// flow is what a feeder has seen of one lane.
type flow struct {
	window  int64 // most rows that may wait for a worker
	tenant  int64 // the same by the limits of the tenant; 0 is any number
	waiting int64 // rows that do
	slots   int64 // of the tenant; 0 is any number
	inRedis int64 // rows in Redis, running and waiting for a retry too
	bound   bool  // more rows would have been pushed had the window been wider
	served  int64 // round of its last turn
	bytes   int64 // of a row, as pushed last; 0 is not known
	back    backlog

	together bool // handlers of the kind get all jobs of a key in one call
	keys     map[string]keyPace
	stir     string    // the last key of held rows that was reported to Redis; "" = begin anew
	stirred  bool      // all have been once
	reported int64     // how many have been since stir was empty
	page     time.Time // when the last of these were

	at    time.Time // when taken was looked at
	taken int64     // rows that have left the window
	live  int64     // round it was seen in
	seen  time.Time // when that was
}

// flowKept is how long a lane without rows to push is remembered.
const flowKept = 10 * time.Second

func newPace(opt Options) *pace { return &pace{opt: opt, lanes: map[int64]*flow{}} }

func (p *pace) flow(lane int64) *flow {
	fl := p.lanes[lane]
	if fl == nil {
		fl = &flow{window: min(p.opt.Least, p.opt.Window)}
		p.lanes[lane] = fl
	}
	return fl
}

// most is how many rows of a lane may be in Redis, by number and by size.
func (p *pace) most(fl *flow) int64 {
	if fl.bytes == 0 {
		return p.opt.Window
	}
	return max(min(p.opt.Window, windowBytes/fl.bytes), 1)
}

// learn looks at what became of the rows since the last look.
func (p *pace) learn(now time.Time, lanes []tasks.FeedLane) {
	p.round++
	for _, l := range lanes {
		fl := p.flow(l.ID)
		waits := max(l.Waiting, 0)
		fl.slots = l.Slots
		fl.tenant, fl.waiting, fl.inRedis = l.Window, fl.unheld(l), max(l.InRedis, 0)
		if fl.live < p.round-1 { // it had nothing to push meanwhile
			fl.at, fl.bound = now, false
			fl.taken, fl.stirred, fl.stir = l.Pushed-waits, false, ""
		}
		fl.live, fl.seen = p.round, now
		fl.adapt(now, l.Pushed-waits)
		fl.window = min(max(fl.window, p.opt.Least), p.opt.Window)
	}
	for id, fl := range p.lanes {
		if now.Sub(fl.seen) > flowKept {
			delete(p.lanes, id)
		}
	}
}

// unheld returns how many rows of a lane wait for a worker. It leaves out rows that wait for
// an earlier row of their key. A key with held rows counts as one row, or as none while that
// row waits for a retry. Other keys may wait for a retry, too. The ledger does not say how many
// rows wait behind these, so unheld assumes one row for each retry, and at most a window.
func (fl *flow) unheld(l tasks.FeedLane) int64 {
	waits, retrying := max(l.Waiting, 0), max(l.Retrying, 0)
	return max(waits-l.Behind-fl.back.behind()-min(retrying, fl.window), min(waits, max(l.HeldKeys-retrying, 0)), 0)
}

// adapt widens the window of a lane whose workers have nothing left, and moves
// that of another towards what they take, a step at a time: at least as much as
// they have taken between two looks, however slow these are. taken is how many rows have
// left the window so far.
func (fl *flow) adapt(now time.Time, taken int64) {
	starved := fl.bound && 8*fl.waiting <= fl.window
	if starved {
		fl.window *= 2
	}
	fl.bound = false
	took := now.Sub(fl.at)
	if took < step {
		return
	}
	if !fl.at.IsZero() {
		want := int64(float64(taken-fl.taken) * float64(max(ahead, took)) / float64(took))
		shrunk := float64(fl.window) * math.Pow(decay, float64(took)/float64(step))
		if starved {
			shrunk = float64(fl.window)
		}
		fl.window = max(want, int64(shrunk))
	}
	fl.at, fl.taken = now, taken
}
