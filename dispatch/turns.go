package dispatch

import (
	"cmp"
	"math"
	"slices"

	"github.com/rollcall-dev/rollcall/tasks"
)

// turn is a task whose next rows may be pushed now, and how many of them.
type turn struct {
	feed  tasks.Feed
	room  int64
	claim tasks.Claim // 0 before it is taken
}

// lane is what shares one window: a tenant's jobs of one kind.
type lane struct{ tenant, kind string }

func laneOf(f tasks.Feed) lane { return lane{f.Tenant, f.Kind} }

// turns chooses whose rows come next: of each lane the first task in feeding
// order, the lane first that was served longest ago. A task that is still
// being read holds up the later ones of its lane, so that rows of one key keep
// their order across tasks; a paused one does not, nor does an open one, which
// nobody has to close soon. Rows that are pushed again, of whatever task, come
// before all others of their lane: they have their slots and their place in the
// window already, and nothing else would get in before them.
func (p *pace) turns(feeds []tasks.Feed) []turn {
	left := slotsLeft(feeds)
	var out []turn
	for _, f := range p.heads(feeds) {
		if f.Again() {
			out = append(out, turn{feed: f, room: p.opt.Chunk})
			continue
		}
		room := p.room(f)
		if n, limited := left[f.Tenant]; limited {
			room = min(room, n)
			left[f.Tenant] -= max(min(room, f.Unfed), 0)
		}
		if room > 0 {
			out = append(out, turn{feed: f, room: room})
		}
	}
	return out
}

// heads are the tasks whose turn it is in their lanes, in the order of turns.
func (p *pace) heads(feeds []tasks.Feed) []tasks.Feed {
	var out []tasks.Feed
	taken := map[lane]bool{}
	for _, f := range feeds {
		if l := laneOf(f); f.Again() && !taken[l] {
			taken[l] = true
			out = append(out, f)
		}
	}
	for _, f := range feeds {
		l := laneOf(f)
		reading := f.Status != tasks.Open && feeding(f.Status) && !f.TotalIsFinal
		switch {
		case taken[l]:
		case f.Unfed > 0 && feeding(f.Status):
			taken[l] = true
			out = append(out, f)
		case reading:
			taken[l] = true
		}
	}
	slices.SortStableFunc(out, func(a, b tasks.Feed) int {
		return cmp.Compare(p.flow(laneOf(a)).served, p.flow(laneOf(b)).served)
	})
	return out
}

// room is how many rows of a task its lane has room for. Small gaps are left
// until they are worth a push.
func (p *pace) room(f tasks.Feed) int64 {
	fl := p.flow(laneOf(f))
	window := min(fl.window, p.most(fl), most(f.Window))
	room := min(window-fl.waiting, p.most(fl)-fl.inRedis, p.opt.Chunk)
	fl.bound = f.Unfed > room && fl.window-fl.waiting <= room
	if room < min(f.Unfed, p.opt.Chunk, max(min(window, most(f.Slots))/4, 1)) {
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

func feeding(s tasks.Status) bool {
	return s == tasks.Open || s == tasks.Splitting || s == tasks.Running
}
