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
	lanes map[lane]*flow
	round int64
}

// flow is what a feeder has seen of one lane.
type flow struct {
	window  int64 // most rows that may wait for a worker
	waiting int64 // rows that do
	inRedis int64 // rows in Redis, running and waiting for a retry too
	bound   bool  // more rows would have been pushed had the window been wider
	served  int64 // round of its last turn
	bytes   int64 // of a row, as pushed last; 0 is not known
	back    backlog

	at    time.Time       // when taken was looked at
	taken map[int64]int64 // by task: rows that have left the window
	known map[int64]int64 // by task: the rows that waited then
	live  int64           // round it was seen in
}

func newPace(opt Options) *pace { return &pace{opt: opt, lanes: map[lane]*flow{}} }

func (p *pace) flow(l lane) *flow {
	fl := p.lanes[l]
	if fl == nil {
		fl = &flow{window: min(p.opt.Least, p.opt.Window)}
		p.lanes[l] = fl
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
func (p *pace) learn(now time.Time, feeds []tasks.Feed) {
	p.round++
	tasksOf := map[*flow][]tasks.Feed{}
	for _, f := range feeds {
		fl := p.flow(laneOf(f))
		if fl.live != p.round {
			fl.live, fl.waiting, fl.inRedis = p.round, 0, 0
		}
		fl.waiting += max(f.Waiting, 0)
		fl.inRedis += max(f.InRedis, 0)
		if f.Status != tasks.Canceling {
			tasksOf[fl] = append(tasksOf[fl], f)
		}
	}
	for l, fl := range p.lanes {
		if fl.live != p.round {
			delete(p.lanes, l)
			continue
		}
		fl.adapt(now, tasksOf[fl])
		fl.window = min(max(fl.window, p.opt.Least), p.opt.Window)
	}
}

// adapt widens the window of a lane whose workers have nothing left, and moves
// that of another towards what they take, a step at a time: at least as much as
// they have taken between two looks, however slow these are.
func (fl *flow) adapt(now time.Time, feeds []tasks.Feed) {
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
		want := int64(float64(fl.drained(feeds)) * float64(max(ahead, took)) / float64(took))
		shrunk := float64(fl.window) * math.Pow(decay, float64(took)/float64(step))
		if starved {
			shrunk = float64(fl.window)
		}
		fl.window = max(want, int64(shrunk))
	}
	fl.at, fl.taken, fl.known = now, map[int64]int64{}, map[int64]int64{}
	for _, f := range feeds {
		fl.taken[f.Num], fl.known[f.Num] = f.Pushed-f.Waiting, f.Waiting
	}
}

// pushed notes rows that a lane got: tasks that are done before the next look
// are known by that alone.
func (p *pace) pushed(l lane, steps []tasks.Step) {
	fl := p.flow(l)
	for _, one := range steps {
		if fl.known != nil && one.Waited > 0 {
			fl.known[one.Feed.Num] += one.Waited
		}
	}
}

// drained is how many rows workers have taken since the last step: of a task
// that is done meanwhile, all that waited.
func (fl *flow) drained(feeds []tasks.Feed) (n int64) {
	for _, f := range feeds {
		if before, ok := fl.taken[f.Num]; ok {
			n += max(f.Pushed-f.Waiting-before, 0)
			delete(fl.known, f.Num)
		} else {
			n += max(f.Pushed-f.Waiting, 0)
		}
	}
	for _, waited := range fl.known {
		n += max(waited, 0)
	}
	return n
}
