package feed

import (
	"context"
	"math"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// backlog holds the resubmitted rows of one lane, pushed by this feeder and not started yet, and their
// window. The ledger counts such rows as retries once they have run, so its counts do not show how many of
// them wait for a worker. The feeder therefore counts them itself.
type backlog struct {
	pushed []events.ID                  // rows that had not started at the last check, and rows pushed since
	rows   map[events.ID]resubmittedRow // the rows of the field `pushed`, by id
	window int64                        // the most waiting rows; the rows of a key count as one
	bound  bool                         // the window was too small for all rows
	at     time.Time                    // time of the last reset of the count `taken`
	taken  int64                        // number of rows that have started since this reset
}

// resubmittedRow is a feeder's record of a resubmitted row.
type resubmittedRow struct {
	key   string
	fresh bool // the row has never run, so the ledger counts it as waiting
}

// updateBacklog removes started rows from a backlog, and adapts the window.
func (f *Feeder) updateBacklog(ctx context.Context, b *backlog) error {
	left, err := f.pending.Fresh(ctx, b.pushed)
	if err != nil {
		return err
	}
	b.taken += int64(len(b.pushed) - len(left))
	b.keepOnly(left)
	b.adapt(f.opt.Now(), f.opt)
	return nil
}

// resubmittedRoom returns how many resubmitted rows of a task may be pushed now; 0 or less means none.
// The windows of the backlog and of the tenant bound this number, and so does the weight of the tenant.
// Options.Chunk, the room of the lane in Redis and the free slots of the tenant (`left`) bound it, too.
// The result is 0 while less than a quarter of the window is free, unless all rows fit.
func (p *windows) resubmittedRoom(feed lanes.Feed, left int64) int64 {
	fl := p.lane(feed.Lane)
	b := &fl.back
	window := min(p.resubmittedShare(feed.Kind, fl, b.window), orUnlimited(feed.Window))
	room := window - b.waiting()
	b.bound = b.bound || feed.Resubmitted > room
	if room < max(window/4, 1) && room < feed.Resubmitted {
		return 0
	}
	return min(room, p.opt.Chunk, p.maxInRedis(fl)-fl.inRedis, left)
}

// adapt doubles the window if some rows did not fit into it, although at most an eighth of it is used.
// At most once per `step`, it also moves the window towards the number of rows that the workers take
// within 250 ms (`ahead`). The window stays between Options.MinWindow and Options.Window.
func (b *backlog) adapt(now time.Time, opt Options) {
	starved := b.bound && 8*b.waiting() <= b.window
	if starved {
		b.window *= 2
	}
	if took := now.Sub(b.at); took >= step {
		shrunk := float64(b.window)
		if !starved {
			shrunk *= math.Pow(decay, float64(took)/float64(step))
		}
		want := float64(b.taken) * float64(max(ahead, took)) / float64(took)
		b.window, b.at, b.taken = int64(max(want, shrunk)), now, 0
	}
	b.window = min(max(b.window, opt.MinWindow), opt.Window)
	b.bound = false
}

// waiting returns how many rows wait for a worker, without rows that wait for another row of their
// key.
func (b *backlog) waiting() int64 {
	keys, n := map[string]bool{}, 0
	for _, id := range b.pushed {
		if key := b.rows[id].key; key != "" {
			keys[key] = true
		} else {
			n++
		}
	}
	return int64(n + len(keys))
}

// behind returns how many rows of the backlog wait for another row of their key, although the
// ledger counts them as waiting for a worker.
func (b *backlog) behind() (n int64) {
	keys := map[string]bool{}
	for _, id := range b.pushed {
		row := b.rows[id]
		if row.key != "" && row.fresh && keys[row.key] {
			n++
		}
		keys[row.key] = true
	}
	return n
}

// keepOnly removes all rows whose id is not in `ids`.
func (b *backlog) keepOnly(ids []events.ID) {
	rows := make(map[events.ID]resubmittedRow, len(ids))
	for _, id := range ids {
		rows[id] = b.rows[id]
	}
	b.pushed, b.rows = ids, rows
}

// add adds pushed rows. It leaves out rows whose field Gone is true, because they were not pushed.
func (b *backlog) add(rows []pending.Row) {
	if b.rows == nil {
		b.rows = map[events.ID]resubmittedRow{}
	}
	for i := range rows {
		if !rows[i].Gone {
			b.pushed = append(b.pushed, rows[i].ID)
			b.rows[rows[i].ID] = resubmittedRow{rows[i].Key, rows[i].Attempt == 0}
		}
	}
}
