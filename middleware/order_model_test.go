package middleware_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// effects holds the jobs that have taken effect, by key and in order.
type effects struct {
	mu   sync.Mutex
	ran  map[string][]events.ID
	fail map[string]bool // ids of jobs that fail until they are repaired
}

func (x *effects) handle(ctx context.Context, j *worker.Job[struct{}]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fail[j.ID] {
		return worker.Fail("BAD", "bad")
	}
	x.ran[j.Key] = append(x.ran[j.Key], jobs.Calls(ctx)[0].Event)
	return nil
}

// history is a lane on which users act: they add tasks, pause and resume them, and repair their
// rows.
type history struct {
	*rig
	node    *node
	sweeper *reconcile.Sweeper
	effects effects
	tasks   []*tasks.Task
	anyway  map[events.ID]bool // rows that a user has run although newer rows of their keys had finished
}

func (h *history) add(t *rapid.T) {
	keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 5).Draw(t, "keys")
	h.effects.mu.Lock() // the node may run the rows at once
	task := h.rig.task("k", keys...)
	for i := range keys {
		if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
			h.effects.fail[events.NewID(task.Num, int64(i)+1).JobID(task.ID)] = true
		}
	}
	h.effects.mu.Unlock()
	h.tasks = append(h.tasks, task)
}

func (h *history) one(t *rapid.T) *tasks.Task {
	if len(h.tasks) == 0 {
		t.Skip("no task yet") // rapid draws another step
	}
	return rapid.SampledFrom(h.tasks).Draw(t, "task")
}

func (h *history) pause(t *rapid.T) { _ = h.rig.Tasks.Pause(h.t.Context(), "acme", h.one(t).ID) }

func (h *history) resume(t *rapid.T) {
	task, anyway := h.one(t), rapid.Bool().Draw(t, "anyway")
	if !anyway {
		_ = h.rig.Tasks.Resume(h.t.Context(), "acme", task.ID)
		return
	}
	if h.rig.Tasks.ResumeAnyway(h.t.Context(), "acme", task.ID) == nil {
		for seq := range int64(9) {
			h.anyway[events.NewID(task.Num, seq)] = true
		}
	}
}

// repair resubmits some bad rows of a task, perhaps with another key.
func (h *history) repair(t *rapid.T) {
	task, anyway := h.one(t), rapid.IntRange(0, 3).Draw(t, "anyway") == 0
	bad, err := h.Events.Bad(h.t.Context(), task.Num, events.Filter{})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range bad {
		if !rapid.Bool().Draw(t, "it") {
			continue
		}
		d := decisions.Decision{ID: e.ID, Version: e.Version, Resolution: events.Resubmitted}
		if rapid.IntRange(0, 2).Draw(t, "moved") == 0 {
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			d.Edit = &decisions.Edit{Params: []byte("{}"), Key: key}
		}
		h.effects.mu.Lock()
		delete(h.effects.fail, e.ID.JobID(task.ID))
		h.effects.mu.Unlock()
		_, err := decisions.New(h.Events).Decide(h.t.Context(), decisions.Review{
			Num: task.Num, By: "ann", Anyway: anyway, Rows: []decisions.Decision{d},
		})
		if err != nil {
			h.t.Fatal(err)
		}
		if anyway {
			h.anyway[e.ID] = true
		}
	}
}

// lose makes Redis lose the waiting rows of a key, including some of a new task. The feeder may push
// newer rows of the key before a sweep.
func (h *history) lose(t *rapid.T) {
	admin := h.node.Queue.Admin()
	h.fine(admin.Pause(h.t.Context(), "k"))
	h.add(t)
	task := h.tasks[len(h.tasks)-1]
	key := "acme/" + h.event(task, 1).Key
	eventually(h.t, func() bool { // a node may run rows of the key after the pause
		st, err := admin.Key(h.t.Context(), "k", key)
		h.fine(err)
		return st.Waiting != nil || h.event(task, 1).Status.AtRest()
	})
	_, err := admin.Delete(h.t.Context(), "k", key)
	h.fine(err)
	h.fine(admin.Resume(h.t.Context(), "k"))
}

func (h *history) fine(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// settle runs the sweeper until every task that is not paused is done.
func (h *history) settle(*rapid.T) {
	for _, task := range h.tasks {
		eventually(h.t, func() bool {
			h.fine(h.sweeper.Sweep(h.t.Context()))
			now, err := h.rig.Tasks.Get(h.t.Context(), "acme", task.ID)
			return err == nil && (now.Status.Done() || now.Status == tasks.Paused)
		})
	}
}

// check compares the effects with the promise: no row takes effect after a newer row of its key,
// unless a user has decided so.
func (h *history) check(t *rapid.T) {
	h.effects.mu.Lock()
	defer h.effects.mu.Unlock()
	for key, ran := range h.effects.ran {
		last := events.ID(0)
		for _, id := range ran {
			if id <= last && !h.anyway[id] {
				t.Fatalf("%d took effect on %s behind %d: %v", id, key, last, ran)
			}
			last = max(last, id)
		}
	}
}

// TestOrder_RandomPausesAndRepairs_NewestRowOfAKeyStands runs random histories on one node with a
// real Redis.
func TestOrder_RandomPausesAndRepairs_NewestRowOfAKeyStands(t *testing.T) {
	on(t, func(r *rig) {
		h := &history{rig: r}
		h.effects = effects{ran: map[string][]events.ID{}, fail: map[string]bool{}}
		h.anyway = map[events.ID]bool{}
		h.node = r.start(worker.Define("k", h.effects.handle, worker.Shards(2)))
		h.sweeper = r.sweeper(h.node)
		rapid.Check(r.t, func(rt *rapid.T) {
			rt.Repeat(map[string]func(*rapid.T){
				"add": h.add, "pause": h.pause, "resume": h.resume, "repair": h.repair, "settle": h.settle,
				"lose": h.lose,
				"":     h.check,
			})
			for _, task := range h.tasks {
				_ = h.rig.Tasks.Resume(r.t.Context(), "acme", task.ID)
			}
			h.settle(rt)
			h.check(rt)
			for _, task := range h.tasks {
				r.agrees(task)
			}
			h.tasks = nil // the next history goes on in the same lane
		})
		if ran := h.effects.ran; len(slices.Concat(ran["a"], ran["b"], ran["c"])) == 0 {
			r.t.Error("nothing ran")
		}
	})
}
