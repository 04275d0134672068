package feed

import (
	"math"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// ahead is the time for which rows of a lane wait in Redis. The lane gets about as many rows as its
// workers take within this time. Shards are first in, first out for all tenants, so more waiting
// rows would delay other lanes. step is the least time between two measurements of the number of
// rows that the workers take.
const (
	ahead = 250 * time.Millisecond
	step  = 100 * time.Millisecond
)

// decay is the factor by which a window shrinks per `step` while it is wider than the workers need.
const decay = 0.75

// windows holds the windows of the lanes, and computes their sizes. A window doubles while the workers
// empty it, and shrinks towards the number of rows that the workers take within 250 ms (`ahead`). The
// sizes depend mainly on counts in the ledger, so all feeders compute about the same sizes.
type windows struct {
	opt    Options
	lanes  map[int64]*laneWindow // by the number of the lane
	rivals map[string]*rivals    // by kind
	poll   int64                 // number of the last poll
}

// laneWindow is the state of one lane in a feeder.
type laneWindow struct {
	window  int64 // most rows that may wait for a worker
	tenant  int64 // the same, by the limit of the tenant; 0 means no limit
	waiting int64 // rows that wait for a worker
	slots   int64 // slots of the tenant; 0 means no limit
	inRedis int64 // rows in Redis, including rows that run or wait for a retry
	bound   bool  // the share was too small for all rows
	served  int64 // the poll that served the lane last
	share   int64 // most rows that may wait while other lanes of the kind have rows, too
	bytes   int64 // mean size of the rows of the last push; 0 if unknown
	back    backlog

	together bool // handlers of the kind get all jobs of a key in one call
	keys     map[string]keyPace
	stir     string    // the last key that the pass over the held keys reported to Redis; "" at the start of a pass
	stirAt   int64     // lanes.Lane.ReportAt when the pass began
	stirred  bool      // all keys were reported once
	reported int64     // number of keys reported in the pass
	page     time.Time // when the last of these keys were reported

	at    time.Time // time of the last change of the window
	taken int64     // rows that had left the window at that time
	live  int64     // last poll with this lane
	seen  time.Time // time of that poll

	weight    float64 // of the tenant
	left      int64   // rows that had left the window at the last poll
	took      int64   // rows that left between the last two polls
	saturated bool    // when last served, the lane had more rows than room, and filled its share
	rival     bool    // the lane shares the common window of the kind
	lag       float64 // number of rows that the lane is behind its share
	passed    passing
}

// laneKept is how long the state of a lane without rows to push is kept.
const laneKept = 10 * time.Second

func newWindows(opt Options) *windows {
	return &windows{opt: opt, lanes: map[int64]*laneWindow{}, rivals: map[string]*rivals{}}
}

func (p *windows) lane(lane int64) *laneWindow {
	fl := p.lanes[lane]
	if fl == nil {
		fl = &laneWindow{window: min(p.opt.MinWindow, p.opt.Window)}
		fl.share = fl.window
		p.lanes[lane] = fl
	}
	return fl
}

// maxInRedis returns the maximum number of rows of a lane in Redis. It is Options.Window, or less
// if the rows would have more than windowBytes, but at least 1.
func (p *windows) maxInRedis(fl *laneWindow) int64 {
	if fl.bytes == 0 {
		return p.opt.Window
	}
	return max(min(p.opt.Window, windowBytes/fl.bytes), 1)
}

// observe counts the rows that have left the windows since the last poll, and adapts the windows. It
// deletes the state of lanes that had no rows for laneKept.
func (p *windows) observe(now time.Time, active []lanes.Lane) {
	p.poll++
	kinds := map[string][]*laneWindow{}
	for _, l := range active {
		kinds[l.Kind] = append(kinds[l.Kind], p.observeLane(now, l))
	}
	for kind, of := range kinds {
		p.adaptKind(now, kind, of)
	}
	for id, fl := range p.lanes {
		if now.Sub(fl.seen) > laneKept {
			delete(p.lanes, id)
		}
	}
}

// adaptKind adapts the windows of the lanes of a kind, and sets how many rows of each lane may
// wait.
func (p *windows) adaptKind(now time.Time, kind string, active []*laneWindow) {
	r := p.rivals[kind]
	if r == nil {
		r = &rivals{}
		p.rivals[kind] = r
	}
	r.update(now, active)
	r.adapt(now, p.opt)
	for _, fl := range active {
		if !fl.rival {
			fl.adapt(now, fl.left)
			fl.window = min(max(fl.window, p.opt.MinWindow), p.opt.Window)
		}
	}
	r.setShares(active, p.opt)
}

// observeLane stores the counts of a lane. If the lane was missing in the last poll, it starts a new
// measurement.
func (p *windows) observeLane(now time.Time, l lanes.Lane) *laneWindow {
	fl := p.lane(l.ID)
	taken := l.Pushed - max(l.Waiting, 0)
	fl.slots, fl.weight = l.Slots, float64(max(l.Weight, 1))
	fl.tenant, fl.waiting, fl.inRedis = l.Window, fl.unheld(l), max(l.InRedis, 0)
	if fl.live < p.poll-1 { // the lane had no rows to push meanwhile
		fl.at, fl.left, fl.bound, fl.saturated = now, taken, false, false
		fl.taken, fl.stirred, fl.stir = taken, false, ""
	}
	fl.took, fl.left = max(taken-fl.left, 0), taken
	fl.live, fl.seen = p.poll, now
	return fl
}

// unheld returns how many rows of a lane wait for a worker. It leaves out rows that wait for an
// earlier row of their key. A key with held rows counts as one row, or as none while that row waits
// for a retry. Keys without held rows may wait for a retry, too. The ledger does not count the rows
// behind a retry. Therefore, unheld assumes one such row for each retry, and at most as many as the
// window.
func (fl *laneWindow) unheld(l lanes.Lane) int64 {
	waits, retrying := max(l.Waiting, 0), max(l.Retrying, 0)
	return max(waits-l.Behind-fl.back.behind()-min(retrying, fl.window), min(waits, max(l.HeldKeys-retrying, 0)), 0)
}

// adapt doubles the window if the window has limited a push and is filled to at most an eighth. At most once
// per `step`, adapt also sets the window to the number of rows that the workers take within `ahead`. If the
// last measurement is older than `ahead`, it sets the window to the number of rows taken since then. A
// window shrinks gradually, by the factor `decay`, unless adapt has just doubled it. The argument `taken` is
// the number of rows that have left the window so far.
func (fl *laneWindow) adapt(now time.Time, taken int64) {
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
