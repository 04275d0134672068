package middleware_test

import (
	"context"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/worker"
)

// attempts returns the attempts on a row, each as one line. It checks the order of their times.
func (r *rig) attempts(e *events.Event) (out []string) {
	r.t.Helper()
	ran, err := r.Events.Runner(r.t.Context(), e.RanBy)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, a := range e.Attempts(ran) {
		if a.QueuedAt == 0 || a.QueuedAt > a.StartedAt || a.StartedAt > a.EndedAt {
			r.t.Errorf("queued, started, ended: %d, %d, %d", a.QueuedAt, a.StartedAt, a.EndedAt)
		}
		one := fmt.Sprintf("%d %s %s %s %s %s", a.N, a.Outcome, a.Worker, a.Build, a.Type, a.Text)
		for _, f := range a.Faults {
			one += f.Code + " " + f.Message
		}
		out = append(out, one)
	}
	return out
}

// TestAttempts_FaultFailureAndResubmission_AreAllKept runs a row that ends in an error, in a panic, in a
// failure and, after a resubmission, as finished.
func TestAttempts_FaultFailureAndResubmission_AreAllKept(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "plain")
		r.start(worker.Define("k", func(_ context.Context, j *worker.Job[none]) error {
			switch {
			case j.Key == "plain":
				return nil
			case j.Attempt == 1:
				return fmt.Errorf("read: %w", &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist})
			case j.Attempt == 2:
				panic("ouch")
			case j.Attempt == 3:
				return worker.Fail("BRAND_UNKNOWN", "no such brand")
			}
			return nil
		}, worker.RetryIn(func(int) time.Duration { return 0 })))
		r.await(task)
		r.mend(newShelf(), task, 1, &decisions.Edit{Params: []byte("{}"), Key: "a"}, false)
		r.await(task)
		want := []string{
			"1 retry node:1 b1 *fs.PathError read: open /x: file does not exist",
			"2 retry node:1 b1 panic panic: ouch",
			"3 failed node:1 b1  BRAND_UNKNOWN no such brand",
			"4 finish node:1 b1  ",
		}
		e := r.event(task, 1)
		if diff := cmp.Diff(want, r.attempts(e)); diff != "" {
			r.t.Errorf("attempts (-want +got):\n%s", diff)
		}
		plain := r.event(task, 2)
		if diff := cmp.Diff([]string{"1 finish node:1 b1  "}, r.attempts(plain)); diff != "" || plain.Messages != nil {
			r.t.Errorf("a plain success writes %v (-want +got):\n%s", text(plain.Messages), diff)
		}
	})
}

// TestAttempts_SystemFaults_AreGroupedByTypeAndText fails rows with system faults. Some
// differ only in numbers and quoted texts, others in their type or in another text.
func TestAttempts_SystemFaults_AreGroupedByTypeAndText(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "b", "c", "d")
		r.start(worker.Define("k", func(_ context.Context, j *worker.Job[none]) error {
			switch j.Key {
			case "d":
				return worker.NoRetry(&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist})
			case "c":
				return worker.NoRetry(fmt.Errorf("no room for order 17 in \"%s\"", j.Key))
			}
			return worker.NoRetry(fmt.Errorf("dial 10.0.0.%d: refused for \"%s\"", j.Row, j.Key))
		}))
		r.await(task)
		groups, err := r.Events.Groups(r.t.Context(), task.Num)
		if err != nil {
			r.t.Fatal(err)
		}
		var got []string
		for _, g := range groups {
			got = append(got, fmt.Sprintf("%d from %d: %s %s", g.Count, g.FirstRow, g.Code, g.Fault))
		}
		want := []string{
			`2 from 2: SYSTEM_ERROR error: dial 10.0.0.2: refused for "a"`,
			`1 from 4: SYSTEM_ERROR error: no room for order 17 in "c"`,
			"1 from 5: SYSTEM_ERROR *fs.PathError: open /x: file does not exist",
		}
		if len(got) == 3 && got[0] != want[0] { // the order depends on which row ended first
			want[0] = `2 from 2: SYSTEM_ERROR error: dial 10.0.0.3: refused for "b"`
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.t.Errorf("groups (-want +got):\n%s", diff)
		}
		if a, err := recount.New(r.Events).Audit(r.t.Context(), task.Num); err != nil || len(a.Differences()) > 0 {
			r.t.Errorf("audit: %v, %v", a.Differences(), err)
		}
	})
}
