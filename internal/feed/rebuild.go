package feed

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// fresh is how long jobs may run on the result of a poll without a check in the ledger. Each process
// that runs jobs has read a cancel that is older.
const fresh = 2 * time.Second

// generation holds the marks that jobs in Redis are compared with.
type generation struct {
	redis    string           // the mark of the Redis in use
	cancels  int64            // canceled tasks of all tenants
	byTenant map[string]int64 // and of each
	at       time.Time        // begin of the poll
}

// of returns the mark for jobs of a tenant that are pushed now. It contains the id of the Redis in use
// and the number of canceled tasks of the tenant. See Feeder.CheckGeneration.
func (m *generation) of(tenant string) string {
	if n := m.byTenant[tenant]; n > 0 {
		return m.redis + "." + strconv.FormatInt(n, 10)
	}
	return m.redis
}

// cache stores the marks of a poll. Cancels are read before the feeds, so that no row of a canceled
// task is pushed under the new mark.
func (f *Feeder) cache(ctx context.Context, at time.Time, now lanes.Generations) error {
	next := &generation{redis: now.Redis, cancels: now.Cancels, at: at}
	if last := f.generation.Load(); last != nil && last.cancels == now.Cancels {
		next.byTenant = last.byTenant
	} else {
		var err error
		if next.byTenant, err = f.lanes.CancelEpochs(ctx); err != nil {
			return err
		}
	}
	f.generation.Store(next)
	f.known.Store(&next.redis)
	return nil
}

// lostWrites reports whether the Redis of a mark has lost writes.
func (f *Feeder) lostWrites(mark string) bool {
	lost := f.lost.Load()
	return lost != nil && *lost == mark
}

// reconcile compares the mark of Redis with the mark of the ledger and reports whether the
// caller may push. The marks differ if Redis was emptied, replaced or restarted, or if the
// ledger lacks commits that Redis counts. Then reconcile pushes all unfinished rows again.
// It returns false while another process does this.
func (f *Feeder) reconcile(ctx context.Context) (ready bool, err error) {
	begun := time.Now()
	got, err := f.client.Generation(ctx)
	if err != nil {
		return false, err
	}
	self, err := f.client.Identity(ctx)
	if err != nil {
		return false, err
	}
	now, err := f.lanes.Generations(ctx)
	if err != nil {
		return false, err
	}
	back := otherMark(got, self, now.Redis)
	if now.Redis != "" && got == now.Redis+"@"+self && !f.lostWrites(now.Redis) {
		if err := f.join(ctx, now.Redis); err != nil {
			return false, err
		}
		if back, err = f.setBack(ctx, now.Redis); err != nil {
			return false, err
		}
		if !back {
			return true, f.cache(ctx, begun, now)
		}
	}
	f.generation.Store(nil)
	won, err := f.rebuild(ctx, rebuild{self: self, carried: got, last: now.Redis, back: back})
	if err != nil || !won {
		return false, err
	}
	return f.reconcile(ctx)
}

// rebuild holds the reason why rows are pushed again, and the marks.
type rebuild struct {
	self    string // the process of Redis
	carried string // the mark in Redis
	last    string // the mark of the ledger
	back    bool   // the ledger was set back
}

// next returns the mark that replaces the last one.
func (r rebuild) next() string {
	if r.back {
		return newMark(r.carried)
	}
	return sameEra(r.last, newMark(r.carried))
}

// rebuild marks all pushed rows that are not at rest to be pushed again, under a new mark. It sets the
// mark in Redis at the end, so a crash before that repeats the work. If ctx ends before that, another
// process begins at once. rebuild returns false if another process does the same.
func (f *Feeder) rebuild(ctx context.Context, r rebuild) (won bool, err error) {
	next := r.next()
	won, err = f.lanes.Rebuild(ctx, r.last, next, f.opt.LeaseGrace)
	if err == nil && won {
		err = f.mark(ctx, r, next)
	}
	if err != nil && ctx.Err() != nil {
		err = errors.Join(err, f.lanes.LeaveRebuild(ctx, next))
	}
	return won && err == nil, err
}

// mark sets the mark in Redis. It first waits until all earlier leases have run out, because
// their jobs may still run.
func (f *Feeder) mark(ctx context.Context, r rebuild, next string) error {
	if r.last != "" {
		level := slog.LevelInfo
		if f.opt.LeaseGrace == 0 { // Redis is in this process, and begins empty at each start
			level = slog.LevelDebug
		}
		f.opt.Log.Log(ctx, level, "Redis is another or was restarted, or Redis or the ledger has lost writes: "+
			"all unfinished rows are pushed again", "after", f.opt.LeaseGrace)
		periodic.Pause(ctx, f.opt.LeaseGrace)
	}
	if err := ctx.Err(); err != nil {
		return err // earlier leases may still run
	}
	if r.back {
		if err := f.retryNow(ctx); err != nil {
			return err
		}
	}
	return f.client.SetGeneration(ctx, next+"@"+r.self)
}
