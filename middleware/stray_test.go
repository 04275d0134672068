package middleware_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// feed pushes the waiting rows before a node of the kinds starts.
func (r *rig) feed(defs ...worker.Definer) {
	r.t.Helper()
	kinds := jobs.RegistryOf(worker.NewRegistry(defs...))
	client := queue.NewClient(r.Redis, queue.ClientOptions{Prefix: r.Options.Prefix, Queues: kinds.Queues()})
	if err := feed.NewFeeder(r.Tasks, r.Events, client, kinds, feed.Options{}).Feed(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// lose removes the job of a row from Redis. Other jobs of its key must also wait there.
func (r *rig) lose(task *tasks.Task, seq int64) {
	r.t.Helper()
	ctx, head, lost := r.t.Context(), fmt.Sprintf("%016x", int64(events.NewID(task.Num, seq))), 0
	names, err := r.Redis.Keys(ctx, r.Options.Prefix+"*").Result()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, name := range names {
		if r.Redis.Type(ctx, name).Val() != "zset" {
			continue
		}
		for _, payload := range r.Redis.ZRange(ctx, name, 0, -1).Val() {
			if strings.HasPrefix(payload, head) {
				lost += int(r.Redis.ZRem(ctx, name, payload).Val())
			}
		}
	}
	if lost != 1 {
		r.t.Fatalf("%d jobs of row %d were in Redis, want 1", lost, seq)
	}
}

// sweeper returns a sweeper that repairs jobs that have not moved for ten minutes.
func (r *rig) sweeper(n *node) *reconcile.Sweeper {
	return reconcile.NewSweeper(r.Tasks, r.Events, n.Queue, n.Kinds, reconcile.SweeperOptions{
		Now: func() time.Time { return time.Now().Add(10 * time.Minute) },
	})
}

// sweep runs the sweeper once.
func (r *rig) sweep(n *node, want reconcile.Repairs) {
	r.t.Helper()
	s := r.sweeper(n)
	if err := s.Sweep(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	if got := s.Repairs(); got != want {
		r.t.Errorf("repairs %+v, want %+v", got, want)
	}
}

// finished waits until a row has finished.
func (r *rig) finished(task *tasks.Task, seq int64) {
	r.t.Helper()
	fixture.Eventually(r.t, "the row has finished", func() bool {
		return r.event(task, seq).Status == events.Finish
	})
}

func TestStray_NewerRowOfItsTaskFinished_DoesNotRun(t *testing.T) {
	on(t, func(r *rig) {
		s := newShelf()
		task := r.task("k", "K", "K", "L")
		ids := jobIDs(task, 3)
		r.feed(s.handler())
		r.lose(task, 1)
		n := r.start(s.handler())
		r.finished(task, 2)
		r.finished(task, 3)
		r.sweep(n, reconcile.Repairs{Fed: 1})
		r.superseded(task, 1, ids[1], 3)
		s.holds(r.t, "K", ids[1])
	})
}

func TestStray_NewerRowOfALaterTaskFinished_DoesNotRun(t *testing.T) {
	on(t, func(r *rig) {
		s := newShelf()
		older, newer := r.task("k", "K", "L"), r.task("k", "K")
		r.feed(s.handler())
		r.lose(older, 1)
		n := r.start(s.handler())
		r.finished(newer, 1)
		r.finished(older, 2)
		r.sweep(n, reconcile.Repairs{Fed: 1})
		r.superseded(older, 1, jobIDs(newer, 1)[0], 2)
		s.holds(r.t, "K", jobIDs(newer, 1)[0])
	})
}

// TestStray_RedisIsEmptiedBeforeItRuns_NewerRowStands checks that the ledger detects a late row.
func TestStray_RedisIsEmptiedBeforeItRuns_NewerRowStands(t *testing.T) {
	on(t, func(r *rig) {
		s := newShelf()
		task := r.task("k", "K", "K", "L")
		r.feed(s.handler())
		r.lose(task, 1)
		n := r.start(s.handler())
		r.finished(task, 2)
		r.finished(task, 3)
		n.Stop()
		r.sweep(n, reconcile.Repairs{Fed: 1})
		if err := r.wipe(); err != nil {
			r.t.Fatal(err)
		}
		r.start(s.handler())
		r.superseded(task, 1, jobIDs(task, 2)[1], 3)
		s.holds(r.t, "K", jobIDs(task, 2)[1])
	})
}

// wipe deletes everything that the service has in Redis.
func (r *rig) wipe() error {
	names, err := r.Redis.Keys(r.t.Context(), r.Options.Prefix+"*").Result()
	if err != nil {
		return err
	}
	return r.Redis.Del(r.t.Context(), names...).Err()
}

// TestStray_RedisIsEmptiedBeforeTheSweep_NewerRowStands checks that the older row, which Redis lost
// before a newer row finished, does not run.
func TestStray_RedisIsEmptiedBeforeTheSweep_NewerRowStands(t *testing.T) {
	for name, later := range map[string]bool{"of its task": false, "of a later task": true} {
		t.Run(name, func(t *testing.T) {
			on(t, func(r *rig) {
				s := newShelf()
				var older, newer *tasks.Task
				seq, last := int64(1), int64(2)
				if later {
					older, newer = r.task("k", "K", "L"), r.task("k", "K")
				} else {
					older, seq, last = r.task("k", "K", "K", "L"), 2, 3
					newer = older
				}
				r.feed(s.handler())
				r.lose(older, 1)
				n := r.start(s.handler())
				r.finished(newer, seq)
				r.finished(older, last)
				n.Stop()
				if err := r.wipe(); err != nil {
					r.t.Fatal(err)
				}
				r.start(s.handler())
				by := jobIDs(newer, seq)[seq-1]
				r.superseded(older, 1, by, int(seq)+1)
				s.holds(r.t, r.event(older, 1).Key, by)
			})
		})
	}
}

// TestStray_NoNewerRowStands_Runs: the newer row failed, or the kind has no order.
func TestStray_NoNewerRowStands_Runs(t *testing.T) {
	for name, story := range map[string]struct {
		fails bool
		opts  []worker.Option
	}{
		"newer row failed": {fails: true},
		"unordered kind":   {opts: []worker.Option{worker.Unordered()}},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, func(r *rig) {
				s := newShelf()
				task := r.task("k", "K", "K", "L")
				ids := jobIDs(task, 2)
				s.bad[ids[1]] = story.fails
				r.feed(s.handler(story.opts...))
				r.lose(task, 1)
				n := r.start(s.handler(story.opts...))
				fixture.Eventually(r.t, "the newer row has ended", func() bool { return r.event(task, 2).Status.AtRest() })
				r.finished(task, 3)
				r.sweep(n, reconcile.Repairs{Fed: 1})
				r.await(task)
				if e := r.event(task, 1); e.Status != events.Finish {
					r.t.Errorf("row 1 is %s, %s", e.Status, e.State())
				}
				s.holds(r.t, "K", ids[0])
				r.agrees(task)
			})
		})
	}
}
