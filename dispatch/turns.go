package dispatch

import (
	"cmp"
	"math"
	"slices"

	"github.com/rollcall-dev/rollcall/tasks"
)

// turnTasks is how many tasks one turn may carry: so many are claimed and noted
// well within the time of a claim.
const turnTasks = 200

// turn is tasks of one lane whose next rows may be pushed now, one after
// another, and how many of them all.
type turn struct {
	feeds []tasks.Feed
	room  int64
}

func (t turn) lane() lane { return laneOf(t.feeds[0]) }

// unfed is how many rows of its tasks wait.
func (t turn) unfed() (n int64) {
	for _, f := range t.feeds {
		n += f.Unfed
	}
	return n
}

// lane is what shares one window: a tenant's jobs of one kind.
type lane struct{ tenant, kind string }

func laneOf(f tasks.Feed) lane { return lane{f.Tenant, f.Kind} }

// turns chooses whose rows come next: of each lane the first tasks in feeding
// order, the lane first that was served longest ago. A task that is still
// being read holds up the later ones of its lane, so that rows of one key keep
// their order across tasks; a paused one does not, nor does an open one, which
// nobody has to close soon. Rows that are pushed again, of whatever task, come
// before all others of their lane: they have their slots and their place in the
// window already, and nothing else would get in before them.
func (p *pace) turns(feeds []tasks.Feed) []turn {
	left := slotsLeft(feeds)
	var out []turn
	for _, t := range p.heads(feeds) {
		first := t.feeds[0]
		if first.Again() {
			t.room = p.opt.Chunk
			out = append(out, t)
			continue
		}
		t.room = p.room(t)
		if n, limited := left[first.Tenant]; limited {
			t.room = min(t.room, n)
			left[first.Tenant] -= max(min(t.room, t.unfed()), 0)
		}
		if t.room > 0 {
			out = append(out, t)
		}
	}
	return out
}

// heads are the lanes' turns, without their room: what has to be pushed again,
// or else from the first task that has rows to push on, as long as the one
// before leaves nothing to wait for.
func (p *pace) heads(feeds []tasks.Feed) []turn {
	l := lines{turns: map[lane]*turn{}, closed: map[lane]bool{}}
	for _, f := range feeds {
		if f.Again() {
			l.add(f)
		}
	}
	for of := range l.turns {
		l.closed[of] = true
	}
	for _, f := range feeds {
		if !feeding(f) {
			continue
		}
		if f.Unfed > 0 {
			l.add(f)
		}
		if reading := f.Status != tasks.Open && !f.TotalIsFinal; reading {
			l.closed[laneOf(f)] = true
		}
	}
	slices.SortStableFunc(l.order, func(a, b *turn) int {
		return cmp.Compare(p.flow(a.lane()).served, p.flow(b.lane()).served)
	})
	out := make([]turn, len(l.order))
	for i, t := range l.order {
		out[i] = *t
	}
	return out
}

// lines gathers the turns of lanes.
type lines struct {
	turns  map[lane]*turn
	order  []*turn
	closed map[lane]bool // to further tasks
}

// add lets one more task go with the turn of its lane.
func (l *lines) add(f tasks.Feed) {
	of := laneOf(f)
	if l.closed[of] {
		return
	}
	if l.turns[of] == nil {
		l.turns[of] = &turn{}
		l.order = append(l.order, l.turns[of])
	}
	t := l.turns[of]
	t.feeds = append(t.feeds, f)
	l.closed[of] = len(t.feeds) == turnTasks
}

// room is how many rows its lane has room for. Small gaps are left until they
// are worth a push.
func (p *pace) room(t turn) int64 {
	f, fl, unfed := t.feeds[0], p.flow(t.lane()), t.unfed()
	window := min(fl.window, p.most(fl), most(f.Window))
	room := min(window-fl.waiting, p.most(fl)-fl.inRedis, p.opt.Chunk)
	fl.bound = unfed > room && fl.window-fl.waiting <= room
	if room < min(unfed, p.opt.Chunk, max(min(window, most(f.Slots))/4, 1)) {
		return 0
	}
	return room
}

// most is a limit of which 0 stands for any number.
func most(limit int64) int64 {
	if limit == 0 {
		return math.MaxInt64
	}
	return limit
}

// slotsLeft tells how many slots each tenant has left; tenants that may have
// any number are left out.
func slotsLeft(feeds []tasks.Feed) map[string]int64 {
	left := map[string]int64{}
	for _, f := range feeds {
		if f.Slots == 0 {
			continue
		}
		if _, known := left[f.Tenant]; !known {
			left[f.Tenant] = f.Slots
		}
		left[f.Tenant] -= f.Held()
	}
	return left
}

// feeding tells whether rows of a task are pushed that were not pushed before.
func feeding(f tasks.Feed) bool {
	return !f.TenantPaused && (f.Status == tasks.Open || f.Status == tasks.Splitting || f.Status == tasks.Running)
}
