package feed_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// verify runs the verifier once, and returns its report and the findings as a text.
func (f *farm) verify(opt reconcile.VerifyOptions) (reconcile.Report, string) {
	f.t.Helper()
	var findings strings.Builder
	opt.Recheck = time.Millisecond
	opt.OnDifference = func(d reconcile.Difference) { fmt.Fprintf(&findings, "%s: %s → %s\n", d.Task, d.What, d.Done) }
	v, err := reconcile.NewVerifier(f.Tasks, f.Events, f.Queue, f.Kinds, opt).Run(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return v, findings.String()
}

func (f *farm) sql(text string, args ...any) {
	f.t.Helper()
	if err := f.DB.Write.Exec(fmt.Sprintf(text, args...)).Error; err != nil {
		f.t.Fatal(err)
	}
}

// pushTwice pushes a row that may be in Redis as if it were not.
func (f *farm) pushTwice(task *tasks.Task, seq int64, taskID string, attempt int) {
	f.t.Helper()
	mark := f.mark()
	id := events.NewID(task.Num, seq)
	payload := jobs.Envelope{
		Event: id, TaskID: taskID, Tenant: "acme", Mark: mark, Row: int(seq) + 1, Attempt: attempt,
		Params: []byte("{}"),
	}.Pack()
	ref := f.ref(task.Num, seq)
	job := queue.Job{Queue: "k", Key: ref.Key, Payload: payload, Score: ref.Score}
	if err := f.Queue.Push(f.t.Context(), job); err != nil {
		f.t.Fatal(err)
	}
}

// TestVerifyFindsAndMends creates one difference after another, in the ledger and in Redis. Each is
// found, repaired, and not found again.
func TestVerifyFindsAndMends(t *testing.T) {
	admin := func(f *farm) *queue.Admin { return f.Queue.Admin() }
	tests := []struct {
		name  string
		plant func(f *farm, task *tasks.Task)
		says  string
	}{
		{"a count", func(f *farm, task *tasks.Task) {
			f.sql("UPDATE rollcall.tasks SET finish = finish + 1, enqueue = enqueue - 1 WHERE num = %d", task.Num)
		}, "finish is 4, but the rows give 3 → corrected from the rows"},
		{"a cause", func(f *farm, task *tasks.Task) {
			f.sql("INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row) VALUES (%d, 'error', 'X', '', 2, 1)", task.Num)
		}, `the cause error X "" is 2, but the rows give 0 → corrected`},
		{"a feed", func(f *farm, task *tasks.Task) {
			f.sql("UPDATE rollcall.feeds SET unfed = 0 WHERE task_num = %d", task.Num)
		}, "rows to be fed is 0, but the rows give 20 → corrected"},
		{"a row that changed alone", func(f *farm, task *tasks.Task) {
			f.sql("UPDATE rollcall.events SET status = 'canceled' WHERE id = %d", events.NewID(task.Num, 118))
		}, "canceled is 0, but the rows give 1 → corrected"},
		{"a job lost in Redis", func(f *farm, _ *tasks.Task) {
			_, err := admin(f).Delete(f.t.Context(), "k", "acme/7")
			f.fine(err)
		}, "row 9 has the status enqueue, but Redis lacks its job → pushed again"},
		{"a job in the morgue", func(f *farm, _ *tasks.Task) {
			_, err := admin(f).Kill(f.t.Context(), "k", "acme/8")
			f.fine(err)
		}, "row 10 has the status enqueue, but its job is in the morgue → row ended with the status error"},
		{"a job that has run", func(f *farm, task *tasks.Task) {
			f.pushTwice(task, 2, task.ID, 0)
		}, "row 3 has the status finish, but waits in Redis → marked"},
		{"a job twice", func(f *farm, task *tasks.Task) {
			f.pushTwice(task, 10, task.ID, 5)
		}, "row 11 is in Redis 2 times → marked"},
		{"a key in no list", func(f *farm, _ *tasks.Task) {
			f.strand("acme/11")
		}, "row 13 waits in Redis but is in no list, so it never runs → listed again"},
		{"a job of nobody", func(f *farm, task *tasks.Task) {
			f.pushTwice(task, 9000, tasks.NewID(), 0)
		}, "row 9001 waits in Redis, but the ledger has no such row → marked"},
	}
	onBoth(t, func(f *farm) {
		done := f.task(2)
		f.feed()
		f.finish(done.Num, 1, 2)
		f.ack("acme/0", "acme/1")
		task := f.task(120)
		f.feed()
		f.finish(task.Num, 1, 3)
		f.ack("acme/0", "acme/1", "acme/2")
		for _, tt := range tests {
			f.silent("before " + tt.name)
			tt.plant(f, task)
			if v, findings := f.verify(reconcile.VerifyOptions{}); v.OK() || !strings.Contains(findings, strings.Split(tt.says, " →")[0]) {
				t.Errorf("%s: %+v\n%s", tt.name, v, findings)
			}
			v, findings := f.verify(reconcile.VerifyOptions{Repair: true})
			if !v.OK() || !strings.Contains(findings, tt.says) {
				t.Errorf("%s: repair: %+v\n%s, want %q", tt.name, v, findings, tt.says)
			}
		}
		f.silent("at the end")
	})
}

func (f *farm) fine(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// ack removes keys from Redis whose rows have ended, as a worker would.
func (f *farm) ack(keys ...string) {
	f.t.Helper()
	_, err := f.Queue.Admin().Delete(f.t.Context(), "k", keys...)
	f.fine(err)
}

// silent checks that nothing is found.
func (f *farm) silent(when string) {
	f.t.Helper()
	if v, findings := f.verify(reconcile.VerifyOptions{}); v.Differences != 0 || v.NoRedis {
		f.t.Errorf("%s: %+v\n%s", when, v, findings)
	}
}

// TestVerifyOneTask checks that verify of one task finds the differences of this task alone.
func TestVerifyOneTask(t *testing.T) {
	onBoth(t, func(f *farm) {
		one, other := f.task(3), f.task(3)
		f.feed()
		f.sql("UPDATE rollcall.tasks SET retrying = 1 WHERE num = %d", other.Num)
		if v, findings := f.verify(reconcile.VerifyOptions{Task: one.ID}); v.Tasks != 1 || v.Events != 3 || !v.OK() {
			t.Errorf("%+v\n%s", v, findings)
		}
		if v, findings := f.verify(reconcile.VerifyOptions{Task: other.ID}); v.Differences != 1 || v.OK() {
			t.Errorf("%+v\n%s", v, findings)
		}
		_, err := reconcile.NewVerifier(f.Tasks, f.Events, f.Queue, f.Kinds,
			reconcile.VerifyOptions{Task: tasks.NewID()}).Run(t.Context())
		if !errors.Is(err, tasks.ErrNotFound) {
			t.Errorf("an unknown task: %v, want ErrNotFound", err)
		}
	})
}

// TestVerifyReportsGaps: what cannot be repaired is reported, and stays.
func TestVerifyReportsGaps(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(5)
		f.feed()
		f.sql("DELETE FROM rollcall.events WHERE id = %d", events.NewID(task.Num, 3))
		v, findings := f.verify(reconcile.VerifyOptions{Repair: true})
		if v.OK() || !strings.Contains(findings, "the rows have gaps: 4 rows exist, but the last has number 5 → \n") {
			t.Errorf("%+v\n%s", v, findings)
		}
	})
}

// TestVerifyOfAWipedRedis: verify reports no fault after Redis was emptied, because the feeder pushes
// all rows again.
func TestVerifyOfAWipedRedis(t *testing.T) {
	on(t, func(f *farm) {
		f.task(5)
		f.feed()
		f.fine(f.Redis.FlushAll(t.Context()).Err())
		if v, findings := f.verify(reconcile.VerifyOptions{}); !v.NoRedis || !v.OK() {
			t.Errorf("%+v\n%s", v, findings)
		}
		f.now = f.now.Add(time.Minute)
		f.feed()
		f.silent("fed again")
	})
}

// TestNoFalseAlarmWhileJobsEnd: rows end and leave Redis while Redis is compared with the ledger.
func TestNoFalseAlarmWhileJobsEnd(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(100)
		f.feed()
		server := queue.NewServer(f.Redis, queue.ServerOptions{Concurrency: 2}, queue.Worker{
			Queue: "k", Handle: func(ctx context.Context, b *queue.Batch) error {
				for _, list := range b.Keys() {
					if _, err := f.Events.Record(ctx, []events.Move{ending(t, list[0])}); err != nil {
						return err
					}
				}
				return nil
			},
		})
		f.fine(server.Start(t.Context()))
		defer server.Stop()
		for tries := 0; ; tries++ {
			if v, findings := f.verify(reconcile.VerifyOptions{}); v.Differences != 0 {
				t.Errorf("look %d: %+v\n%s", tries, v, findings)
			}
			got, err := f.Tasks.Get(t.Context(), "acme", task.ID)
			f.fine(err)
			if got.Status.Done() {
				return
			}
		}
	})
}

// ending returns the move of a job that went well.
func ending(t *testing.T, d *queue.Delivery) events.Move {
	env, err := jobs.Unpack(d.Payload)
	if err != nil {
		t.Error(err)
	}
	return events.Move{ID: env.Event, From: events.Enqueue, To: events.Finish, Attempt: 1}
}
