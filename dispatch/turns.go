package dispatch

import "github.com/rollcall-dev/rollcall/tasks"

// turn is a task whose next rows may be pushed now, and how many of them.
type turn struct {
	feed tasks.Feed
	room int64
}

// lane is what shares one window: a tenant's jobs of one kind.
type lane struct{ tenant, kind string }

// turns chooses whose rows come next: of each lane the first task in feeding
// order. A task that is still being read holds up the later ones of its lane,
// so that rows of one key keep their order across tasks; a paused one does
// not, nor does an open one that nobody has to close soon. Small gaps in a window are left until they are worth a push. Rows that
// are pushed again are in the window already.
func turns(feeds []tasks.Feed, opt Options) []turn {
	used := map[lane]int64{}
	for _, f := range feeds {
		used[lane{f.Tenant, f.Kind}] += f.InRedis
	}
	var out []turn
	taken := map[lane]bool{}
	for _, f := range feeds {
		l := lane{f.Tenant, f.Kind}
		if taken[l] || !feeding(f) || f.Unfed == 0 && f.TotalIsFinal && !f.Again() {
			continue
		}
		taken[l] = true
		if f.Again() {
			out = append(out, turn{f, opt.Chunk})
			continue
		}
		room := min(opt.Window-used[l], opt.Chunk)
		if f.Unfed > 0 && room >= min(f.Unfed, opt.Chunk, max(opt.Window/4, 1)) {
			out = append(out, turn{f, room})
		}
	}
	return out
}

// feeding tells whether rows of a task may be pushed, or are about to come.
func feeding(f tasks.Feed) bool {
	switch f.Status {
	case tasks.Splitting, tasks.Running:
		return true
	case tasks.Open:
		return f.Unfed > 0 || f.Again()
	}
	return false
}
