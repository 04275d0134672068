package feed

import (
	"context"
	"math"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// backlog is the window of the resubmitted rows of a lane. The counts of a task do not separate rows
// that wait for a worker from rows that wait for a retry. A feeder therefore counts its own pushed
// rows.
type backlog struct {
	pushed []events.ID                  // rows that have not been seen to start
	rows   map[events.ID]resubmittedRow // of pushed
	window int64                        // the most such rows, counting the first row of each key
	bound  bool                         // the window was too small for all rows
	at     time.Time                    // when the window was compared with the rows that the workers took
	taken  int64                        // rows that have started since
}

// resubmittedRow is a feeder's record of a resubmitted row.
type resubmittedRow struct {
	key   string
	fresh bool // the row has never run, so the ledger counts it as waiting
}

// updateBacklog removes the rows that have started from a backlog, and adapts its window.
func (f *Feeder) updateBacklog(ctx context.Context, b *backlog) error {
	left, err := f.pending.Fresh(ctx, b.pushed)
	if err != nil {
		return err
	}
	b.taken += int64(len(b.pushed) - len(left))
	b.keep(left)
	b.adapt(f.opt.Now(), f.opt)
	return nil
}

// resubmittedRoom returns how many resubmitted rows of a task Redis has room for. The room of the lane
// is bounded by the rows that its workers take in a while, and by its free slots. Small gaps are left
// until they are worth a push.
func (p *windows) resubmittedRoom(feed lanes.Feed, left int64) int64 {
	fl := p.lane(feed.Lane)
	b := &fl.back
	window := min(p.resubmittedShare(feed.Kind, fl, b.window), most(feed.Window))
	room := window - b.waiting()
	b.bound = b.bound || feed.Back > room
	if room < max(window/4, 1) && room < feed.Back {
		return 0
	}
	return min(room, p.opt.Chunk, p.most(fl)-fl.inRedis, left)
}

// adapt doubles a window that the workers have emptied. It moves any other window stepwise towards the
// number of rows that they take in a while, like the window of other rows.
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

// behind returns how many of the ledger's waiting rows wait for another row of their key.
func (b *backlog) behind() (n int64) {
	keys := map[string]bool{}
	for _, row := range b.rows {
		if row.key != "" && row.fresh && keys[row.key] {
			n++
		}
		keys[row.key] = true
	}
	return n
}

// keep removes all rows except ids.
func (b *backlog) keep(ids []events.ID) {
	rows := make(map[events.ID]resubmittedRow, len(ids))
	for _, id := range ids {
		rows[id] = b.rows[id]
	}
	b.pushed, b.rows = ids, rows
}

// note adds pushed rows.
func (b *backlog) note(rows []pending.Row) {
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
