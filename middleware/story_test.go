package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestABatchOfKeysRunsToItsEnd runs one job per outcome, each under its own key, and a key whose
// older job must run again.
func TestABatchOfKeysRunsToItsEnd(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "good", "bad", "dead", "flaky", "flaky", "old", "old", "old")
		var mu sync.Mutex
		var flaky []string
		fate := func(key string, j *worker.Job[none]) error {
			switch {
			case key == "bad":
				return worker.Fail("X", "no")
			case key == "dead":
				return worker.NoRetry(errors.New("boom"))
			case key == "flaky":
				mu.Lock()
				defer mu.Unlock()
				flaky = append(flaky, j.ID[len(j.ID)-1:])
				if j.Attempt == 1 && strings.HasSuffix(j.ID, ".4") {
					return errors.New("boom")
				}
			}
			return nil
		}
		r.start(worker.DefineBatch("k", func(_ context.Context, b *worker.Batch[none]) error {
			for key, list := range b.Keys() {
				for _, j := range list {
					j.Resolve(fate(key, j))
				}
				if key == "old" {
					last := list[len(list)-1]
					for _, j := range list[:len(list)-1] {
						j.Superseded(last)
					}
				}
			}
			return nil
		}, worker.BatchSize(10), worker.Shards(1), worker.RetryIn(func(int) time.Duration { return 0 })))

		now := r.await(task)
		if now.Finish != 6 || now.Failed != 1 || now.Error != 1 {
			r.t.Errorf("finish %d, failed %d, error %d; want 6, 1, 1", now.Finish, now.Failed, now.Error)
		}
		if diff := cmp.Diff([]string{"4", "5", "4", "5"}, flaky); diff != "" {
			r.t.Errorf("the newer job runs again behind the older (-want +got):\n%s", diff)
		}
		if e := r.event(task, 5); e.Attempt != 1 || e.Status != events.Finish {
			r.t.Errorf("it is %s at attempt %d, want finish at 1", e.Status, e.Attempt)
		}
		if e := r.event(task, 6); e.Result == nil || *e.Result != `{"superseded_by":"`+task.ID+`.8"}` {
			r.t.Errorf("result of the superseded job: %v", e.Result)
		}
	})
}

// TestAFlakyJobRecordsItsHistory reads the attempts after a retry.
func TestAFlakyJobRecordsItsHistory(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a")
		r.start(worker.Define("k", func(_ context.Context, j *worker.Job[none]) error {
			if j.Attempt == 1 {
				panic("ouch")
			}
			j.Note("warehouse chosen", "id", 7)
			return worker.Cancel(errors.New("the promotion has ended"))
		}, worker.RetryIn(func(int) time.Duration { return 0 })))
		r.await(task)
		e := r.event(task, 1)
		if e.Status != events.Failed || e.Code == nil || *e.Code != jobs.CodeCanceled {
			r.t.Fatalf("event = %+v", e)
		}
		notes := e.Notes()
		if len(notes) != 3 || notes[2].Ended == nil {
			r.t.Fatalf("notes = %+v, want the fault, the line of the handler and the end", notes)
		}
		first, second := notes[0], notes[1]
		if first.Text != "panic: ouch" || first.Stack == "" || first.Attempt != 1 || first.Worker != "node:1" {
			r.t.Errorf("first = %+v", first)
		}
		if second.Text != "warehouse chosen id=7" || second.Attempt != 2 {
			r.t.Errorf("second = %+v", second)
		}
	})
}

// TestARowRecordsItsWait checks that the time from queued_at to started_at equals the metric of the
// wait for a worker. A retry waits from its due time. A row after another of its key does not wait
// for a worker.
func TestARowRecordsItsWait(t *testing.T) {
	on(t, func(r *rig) {
		keys := []string{"flaky", "flaky"}
		for i := range 40 { // so many equal moves that the ledger writes them with its statement for plain moves
			keys = append(keys, fmt.Sprint(i))
		}
		task, fed := r.task("k", keys...), time.Now().UnixMilli()
		n := r.start(worker.Define("k", func(_ context.Context, j *worker.Job[none]) error {
			if j.Attempt == 1 && strings.HasSuffix(j.ID, task.ID+".1") {
				return errors.New("boom")
			}
			return nil
		}, worker.RetryIn(func(int) time.Duration { return 30 * time.Millisecond })))
		r.await(task)
		for seq := range int64(len(keys)) {
			e := r.event(task, seq+1)
			if e.QueuedAt == nil || *e.QueuedAt < fed || *e.QueuedAt > *e.StartedAt ||
				seq > 1 && *e.QueuedAt > n.Fed.UnixMilli() {
				r.t.Fatalf("row %d, fed from %d to %d: %+v", seq+1, fed, n.Fed.UnixMilli(), e)
			}
			measured, _ := n.waits.Load(e.ID.JobID(task.ID))
			wait := max(measured.(time.Duration), 0).Milliseconds()
			if took := *e.StartedAt - *e.QueuedAt; took < wait || took > wait+1 { // truncated to whole milliseconds
				r.t.Errorf("row %d waited %d ms, %d by the metric", seq+1, took, wait)
			}
		}
		first, behind := r.event(task, 1), r.event(task, 2)
		if failed := first.Notes()[0].At; *first.QueuedAt < failed+30 {
			r.t.Errorf("it failed at %d, and waits for a worker since %d", failed, *first.QueuedAt)
		}
		if *behind.QueuedAt < *first.StartedAt {
			r.t.Errorf("row 2 is due since %d, row 1 before it began at %d", *behind.QueuedAt, *first.StartedAt)
		}
	})
}

// TestLatestIsOneRunOfAKey fetches a key with many payloads.
func TestLatestIsOneRunOfAKey(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "a", "a", "b")
		runs := make(chan string, 10)
		r.start(worker.Define("k", func(_ context.Context, j *worker.Job[none]) error {
			runs <- j.Key
			return nil
		}, worker.Latest(), worker.Shards(1)))
		now := r.await(task)
		if now.Finish != 4 || len(runs) != 2 {
			r.t.Errorf("finish %d in %d runs, want 4 in 2", now.Finish, len(runs))
		}
	})
}
