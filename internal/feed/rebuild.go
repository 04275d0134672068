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

// generation holds the marks with which the marks of jobs are compared.
type generation struct {
	redis    string           // generation mark of the Redis in use
	cancels  int64            // lanes.Generations.Cancels
	byTenant map[string]int64 // result of lanes.Store.CancelEpochs
	at       time.Time        // start of the poll
}

// markFor returns the mark for jobs of a tenant that are pushed now. It consists of the mark of the Redis
// in use and, if above 0, the cancel epoch of the tenant.
func (m *generation) markFor(tenant string) string {
	if n := m.byTenant[tenant]; n > 0 {
		return m.redis + "." + strconv.FormatInt(n, 10)
	}
	return m.redis
}

// cache stores the marks of a poll. It reads the cancel epochs before the feeder reads the tasks, so that no
// row of a canceled task is pushed under the new mark.
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

// lostWrites reports whether the Redis with the given mark has lost writes.
func (f *Feeder) lostWrites(mark string) bool {
	lost := f.lost.Load()
	return lost != nil && *lost == mark
}

// reconcile compares Redis with the ledger and reports whether the caller may push. It first
// schedules a second feeding of all unfinished rows if Redis has another mark, was restarted or has
// lost writes. It does the same if the ledger lacks commits that are counted in Redis. It returns
// false while another process schedules a second feeding.
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
		if err := f.commitUnder(ctx, now.Redis); err != nil {
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

// rebuild holds the reason why rows are pushed again, and the marks of Redis and the ledger.
type rebuild struct {
	self    string // identity of the Redis process
	carried string // the mark in Redis
	last    string // the mark of the ledger
	back    bool   // the ledger was restored to an older state
}

// next returns the mark that replaces r.last. It has the era of r.last, unless the ledger was
// restored.
func (r rebuild) next() string {
	if r.back {
		return newMark(r.carried)
	}
	return sameEra(r.last, newMark(r.carried))
}

// rebuild schedules a second feeding of all pushed rows that are not at rest, under a new mark. It
// sets the mark in Redis last, so the work is repeated after a crash. If `ctx` ends early, another
// process can rebuild at once. rebuild returns false if another process rebuilds Redis.
func (f *Feeder) rebuild(ctx context.Context, r rebuild) (won bool, err error) {
	next := r.next()
	won, err = f.lanes.Rebuild(ctx, r.last, next, f.opt.LeaseGrace)
	if err == nil && won {
		err = f.setMark(ctx, r, next)
	}
	if err != nil && ctx.Err() != nil {
		err = errors.Join(err, f.lanes.LeaveRebuild(ctx, next))
	}
	return won && err == nil, err
}

// setMark sets the mark in Redis. If the ledger had a mark, setMark first waits until all earlier leases
// have expired, because nodes may still run jobs of these leases. After a restore of the ledger, setMark
// also calls retryNow.
func (f *Feeder) setMark(ctx context.Context, r rebuild, next string) error {
	if r.last != "" {
		level := slog.LevelInfo
		if f.opt.LeaseGrace == 0 { // Redis is in this process, and begins empty at each start
			level = slog.LevelDebug
		}
		f.opt.Log.Log(ctx, level, "Redis was replaced or restarted, or Redis or the ledger has lost writes: "+
			"all unfinished rows are pushed again", "after", f.opt.LeaseGrace)
		periodic.Pause(ctx, f.opt.LeaseGrace)
	}
	if err := ctx.Err(); err != nil {
		return err // jobs of earlier leases may still run
	}
	if r.back {
		if err := f.retryNow(ctx); err != nil {
			return err
		}
	}
	return f.client.SetGeneration(ctx, next+"@"+r.self)
}
