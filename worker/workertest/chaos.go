package workertest

import (
	"cmp"
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/queue"
)

// Advance moves the clock forward by d, so that retries, snoozed and delayed jobs, and callbacks
// become due. It does not wait until they have run; use Task.RequireCounts for that.
func (h *Harness) Advance(d time.Duration) { h.clock.add(d) }

// Crash simulates the death of the worker, and starts another worker. The effects of running
// handlers stay, but their outcomes are lost. A goroutine cannot be killed, so Crash cancels the
// contexts of the handlers. The test fails if a handler does not return. The running jobs run
// again, with the next attempt. A job that has crashed a worker four times ends in error, with the
// code CRASHED.
func (h *Harness) Crash() {
	h.t.Helper()
	h.waitAnnounced()
	h.boot.Crash()
	if busy := h.trace.busy(); busy != "" {
		h.t.Fatalf("a handler ignores its cancelled context: %s", busy)
	}
	h.redisTime = h.redisTime.Add(2 * lease) // the leases of the dead worker expire
	h.redis.SetTime(h.redisTime)
	h.start()
}

// waitAnnounced waits until all running jobs with a task have the status Working in the ledger, or
// are at rest. It moves the clock by a second, because the recorder does not write runs of less than
// 100 ms as working.
func (h *Harness) waitAnnounced() {
	h.t.Helper()
	h.clock.add(time.Second)
	h.until("the running jobs to be recorded as working", func(ctx context.Context) (bool, string) {
		for _, v := range h.trace.running() {
			if v.call.TaskID == "" {
				continue
			}
			e, err := h.event(ctx, v.call)
			if err != nil || !e.Status.AtRest() && e.Status != events.Working {
				return false, v.job() + " is not"
			}
		}
		return true, ""
	})
}

func (h *Harness) event(ctx context.Context, c *jobs.Call) (*events.Event, error) {
	id, err := h.idOf(ctx, c)
	if err != nil {
		return nil, err
	}
	return h.boot.Events().Get(ctx, id)
}

func (h *Harness) idOf(ctx context.Context, c *jobs.Call) (events.ID, error) {
	task, err := h.Client().Find(c.Tenant, c.TaskID).Get(ctx)
	if err != nil {
		return 0, err
	}
	_, seq, _ := events.ParseJobID(c.ID)
	return events.NewID(task.Num, seq), nil
}

// Redeliver delivers again every tracked job that has run and is not running, and waits until these
// jobs have run again. In production this happens after a crash between the end of a handler and
// the commit of its outcome. The handlers must therefore be idempotent. The records in the ledger
// do not change. To deliver a job of an untracked kind twice, enqueue it twice.
func (h *Harness) Redeliver() {
	h.t.Helper()
	ctx := h.t.Context()
	marks, err := lanes.New(h.boot.Tasks()).Generations(ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	list := h.trace.jobs()
	var jobs []queue.Job
	for _, v := range list {
		job, err := h.copyOf(ctx, v.call, marks.Redis)
		if err != nil {
			h.t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	h.trace.expect(list)
	if err := h.boot.Queue().Push(ctx, jobs...); err != nil {
		h.t.Fatal(err)
	}
	h.until("the redelivered jobs to have run", func(context.Context) (bool, string) {
		return h.trace.allRerun(), "some have not"
	})
}

// copyOf returns a job in the form in which it was pushed for its last run.
func (h *Harness) copyOf(ctx context.Context, c *jobs.Call, mark string) (queue.Job, error) {
	id, err := h.idOf(ctx, c)
	if err != nil {
		return queue.Job{}, err
	}
	payload := jobs.Envelope{
		Event: id, TaskID: c.TaskID, Tenant: c.Tenant, Mark: mark, Row: c.Row, Attempt: c.Attempt - 1,
		Params: c.Params,
	}.Pack()
	key := c.Tenant + "/" + cmp.Or(c.Key, c.ID)
	return queue.Job{Queue: c.Kind, Key: key, Payload: payload, Score: float64(id)}, nil
}
