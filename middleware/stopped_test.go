package middleware_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// clinic holds the jobs that finished. The handler returns an error for the jobs in `ill`.
type clinic struct {
	mu  sync.Mutex
	ill map[string]bool
	ran []string
}

func (d *clinic) run(_ context.Context, j *worker.Job[none]) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ill[j.ID] {
		return errors.New("the warehouse is closed")
	}
	d.ran = append(d.ran, j.ID)
	return nil
}

// kind returns a kind whose failing jobs are not retried.
func (d *clinic) kind(opts ...worker.Option) worker.Definer {
	return worker.Define("k", d.run, append(opts, worker.MaxRetries(0), worker.Shards(1))...)
}

// heals makes all later jobs succeed, and clears the list of finished jobs.
func (d *clinic) heals() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ill, d.ran = nil, nil
}

func (d *clinic) list() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(slices.Values(d.ran))
}

// stands checks how many rows of a task have finished and died, and which of its rows ended as
// stopped.
func (r *rig) stands(task *tasks.Task, finish, dead int64, stopped ...int64) {
	r.t.Helper()
	if now := r.await(task); now.Finish != finish || now.Error != dead {
		r.t.Errorf("%d finished and %d died, want %d and %d", now.Finish, now.Error, finish, dead)
	}
	for seq := int64(1); seq <= finish+dead; seq++ {
		e := r.event(task, seq)
		is := e.Status == events.Error && text(e.Code) == jobs.CodeStopped
		if is != slices.Contains(stopped, seq) {
			r.t.Errorf("row %d is %s, %s", seq, e.Status, text(e.Code))
		}
		if is && (e.Attempt != 0 || e.StartedAt != nil) {
			r.t.Errorf("row %d was stopped and ran: attempt %d", seq, e.Attempt)
		}
	}
}

// decide makes one decision about rows of a task.
func (r *rig) decide(task *tasks.Task, what events.Resolution, seqs ...int64) {
	r.t.Helper()
	r.review(decisions.Review{Num: task.Num, By: "ann"}, task, what, seqs)
}

// decideAnyway resubmits rows of a task, whatever other rows of their keys have finished.
func (r *rig) decideAnyway(task *tasks.Task, seqs ...int64) {
	r.t.Helper()
	r.review(decisions.Review{Num: task.Num, By: "ann", Anyway: true}, task, events.Resubmitted, seqs)
}

func (r *rig) review(review decisions.Review, task *tasks.Task, what events.Resolution, seqs []int64) {
	r.t.Helper()
	for _, seq := range seqs {
		e := r.event(task, seq)
		review.Rows = append(review.Rows, decisions.Decision{ID: e.ID, Version: e.Version, Resolution: what})
	}
	made, err := decisions.New(r.Events).Decide(r.t.Context(), review)
	if err != nil || slices.Contains(made, false) {
		r.t.Fatal(made, err)
	}
}

// TestStopKey_JobDies_LaterJobsOfItsKeyDoNotRun: this includes later tasks. Other keys, and rows
// without a key, continue. When the dead row is resubmitted, the others run too, in order.
func TestStopKey_JobDies_LaterJobsOfItsKeyDoNotRun(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "a", "b", "a", "", "")
		ids := jobIDs(task, 6)
		d := &clinic{ill: map[string]bool{ids[1]: true, ids[4]: true}}
		r.start(d.kind(worker.StopKey()))
		r.stands(task, 3, 3, 4)
		later := r.task("k", "a", "b")
		r.stands(later, 1, 1, 1)
		if got, want := d.list(), []string{ids[0], ids[2], ids[5], jobIDs(later, 2)[1]}; !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			r.t.Errorf("%v ran, want %v", got, want)
		}
		d.heals()
		r.decide(task, events.Resubmitted, 2, 4)
		r.stands(task, 5, 1)
		r.decide(later, events.Resubmitted, 1)
		r.stands(later, 2, 0)
		d.mu.Lock()
		defer d.mu.Unlock()
		if want := []string{ids[1], ids[3], jobIDs(later, 1)[0]}; !slices.Equal(d.ran, want) {
			r.t.Errorf("%v ran again, want %v", d.ran, want)
		}
		r.agrees(task)
		r.agrees(later)
	})
}

// TestStopKey_OtherHandlers_StopToo tests handlers in a transaction of the ledger, and those of
// batches.
func TestStopKey_OtherHandlers_StopToo(t *testing.T) {
	for name, kind := range map[string]func(d *clinic, opts ...worker.Option) worker.Definer{
		"tx": func(d *clinic, opts ...worker.Option) worker.Definer {
			return worker.DefineTx("k", func(ctx context.Context, _ worker.Tx, j *worker.Job[none]) error { return d.run(ctx, j) }, opts...)
		},
		"batch": func(d *clinic, opts ...worker.Option) worker.Definer {
			return worker.DefineBatch("k", func(ctx context.Context, b *worker.Batch[none]) error {
				for _, list := range b.Keys() {
					for _, j := range list {
						j.Resolve(d.run(ctx, j))
					}
				}
				return nil
			}, opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, func(r *rig) {
				task := r.task("k", "a", "a", "b", "a")
				d := &clinic{ill: map[string]bool{jobIDs(task, 2)[1]: true}}
				r.start(kind(d, worker.StopKey(), worker.MaxRetries(0), worker.Shards(1), worker.BatchSize(10)))
				r.stands(task, 2, 2, 4)
			})
		})
	}
}

// TestStopKey_DeadRowIsSkipped_KeyGoesOn: the key continues with the next row, also after an
// accepted row.
func TestStopKey_DeadRowIsSkipped_KeyGoesOn(t *testing.T) {
	t.Run("skipped", func(t *testing.T) { keyGoesOn(t, events.Skipped) })
	t.Run("accepted", func(t *testing.T) { keyGoesOn(t, events.Accepted) })
}

func keyGoesOn(t *testing.T, left events.Resolution) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "a")
		d := &clinic{ill: map[string]bool{jobIDs(task, 1)[0]: true}}
		r.start(d.kind(worker.StopKey()))
		r.stands(task, 0, 2, 2)
		r.decide(task, events.Resubmitted, 2) // the row before it is still dead
		r.stands(task, 0, 2, 2)
		r.decide(task, left, 1)
		r.decide(task, events.Resubmitted, 2)
		r.stands(task, 1, 1)
	})
}

// TestStopKey_RowOfAPausedTaskBetween_KeyStaysStopped has a waiting row of a paused task between a row
// in error and a later row. The later row must not run.
func TestStopKey_RowOfAPausedTaskBetween_KeyStaysStopped(t *testing.T) {
	on(t, func(r *rig) {
		dead, paused, last := r.task("k", "a"), r.task("k", "a"), r.task("k", "a")
		if err := r.Tasks.Pause(r.t.Context(), "acme", paused.ID); err != nil {
			r.t.Fatal(err)
		}
		d := &clinic{ill: map[string]bool{jobIDs(dead, 1)[0]: true}}
		r.start(d.kind(worker.StopKey()))
		r.stands(dead, 0, 1)
		r.stands(last, 0, 1, 1)
	})
}

// TestStopKey_NotChosen_NextJobOfTheKeyRuns tests the default.
func TestStopKey_NotChosen_NextJobOfTheKeyRuns(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "a", "a")
		d := &clinic{ill: map[string]bool{jobIDs(task, 1)[0]: true}}
		r.start(d.kind())
		r.stands(task, 2, 1)
	})
}

// TestStopKey_RedisIsEmptied_KeyStaysStopped checks that the row in error stops its key although Redis
// has lost it.
func TestStopKey_RedisIsEmptied_KeyStaysStopped(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a")
		d := &clinic{ill: map[string]bool{jobIDs(task, 1)[0]: true}}
		r.start(d.kind(worker.StopKey()))
		r.stands(task, 0, 1)
		if _, err := r.Queue.Admin().DeleteAllMorgue(r.t.Context(), "k"); err != nil {
			r.t.Fatal(err)
		}
		r.stands(r.task("k", "a"), 0, 1, 1)
	})
}

// TestStopKey_KindsWithoutOrder_AreRefused: the definition of such a kind fails.
func TestStopKey_KindsWithoutOrder_AreRefused(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]worker.Option{
		"unordered": worker.Unordered(), "latest": worker.Latest(), "untracked": worker.Track(false),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the kind is accepted", name)
				}
			}()
			(&clinic{}).kind(worker.StopKey(), opt, worker.Timeout(time.Second))
		}()
	}
}
