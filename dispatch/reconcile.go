package dispatch

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/tasks"
)

// fresh is how long a look tells which jobs may run without asking. What was
// canceled longer ago than that is known to every process that runs jobs.
const fresh = 2 * time.Second

// marks is what jobs in Redis are held against.
type marks struct {
	redis    string           // the mark of the Redis in use
	cancels  int64            // canceled tasks of all tenants
	byTenant map[string]int64 // and of each
	at       time.Time        // begin of the look
}

// of is the mark of a tenant's jobs that are pushed now: it names the Redis in
// use, and how many tasks of the tenant were canceled. See Feeder.Standing.
func (m *marks) of(tenant string) string {
	if n := m.byTenant[tenant]; n > 0 {
		return m.redis + "." + strconv.FormatInt(n, 10)
	}
	return m.redis
}

// know has the marks of a look held valid. Who was canceled is read before the
// feeds are, so that no row of a canceled task is pushed under the new mark.
func (f *Feeder) know(ctx context.Context, at time.Time, now tasks.Marks) error {
	next := &marks{redis: now.Redis, cancels: now.Cancels, at: at}
	if last := f.marks.Load(); last != nil && last.cancels == now.Cancels {
		next.byTenant = last.byTenant
	} else {
		var err error
		if next.byTenant, err = f.tasks.CancelMarks(ctx); err != nil {
			return err
		}
	}
	f.marks.Store(next)
	f.known.Store(&next.redis)
	return nil
}

// lostWrites reports whether the Redis of a mark has lost writes.
func (f *Feeder) lostWrites(mark string) bool {
	lost := f.lost.Load()
	return lost != nil && *lost == mark
}

// reconcile looks whether Redis is the one that was fed, and has not been
// restarted since: the mark names its processes too, for what they wrote last
// may be gone. If the mark is missing or another, everything that was fed and
// is not at rest is fed again. Redis is marked last, so a crash in between
// repeats the work, and not before everything that was leased from the Redis of
// before has run out: until then its jobs may still be running. It returns false
// while another process is at it: nothing may be fed then.
func (f *Feeder) reconcile(ctx context.Context) (ready bool, err error) {
	begun := time.Now()
	got, err := f.client.Mark(ctx)
	if err != nil {
		return false, err
	}
	self, err := f.client.Identity(ctx)
	if err != nil {
		return false, err
	}
	now, err := f.tasks.Marks(ctx)
	if err != nil {
		return false, err
	}
	if now.Redis != "" && got == now.Redis+"@"+self && !f.lostWrites(now.Redis) {
		return true, f.know(ctx, begun, now)
	}
	f.marks.Store(nil)
	next := uuid.NewString()
	won, err := f.tasks.Rebuild(ctx, now.Redis, next, f.opt.Settle)
	if err != nil || !won {
		return false, err
	}
	if now.Redis != "" {
		f.opt.Log.Info("Redis is another, was restarted or lost writes: all unfinished rows are pushed again",
			"after", f.opt.Settle)
		sleep(ctx, f.opt.Settle)
	}
	if err := f.client.SetMark(ctx, next+"@"+self); err != nil {
		return false, err
	}
	return f.reconcile(ctx)
}
