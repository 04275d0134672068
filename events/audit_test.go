package events_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// audited adds a task of six rows: one waits, one waits for a retry, one runs, one is finished, one
// failed, and one is in error.
func audited(t *testing.T, db *ledger.DB) *tasks.Task {
	t.Helper()
	task := split(t, db, true, good(2), good(3), good(4), good(5), wrong(6), good(7))
	id := func(seq int64) events.ID { return events.NewID(task.Num, seq) }
	record(t, db,
		events.Move{ID: id(2), From: events.Enqueue, To: events.Enqueue, Attempt: 1, NextRunAt: 9},
		events.Move{ID: id(3), From: events.Enqueue, To: events.Working, Attempt: 1},
		events.Move{ID: id(4), From: events.Enqueue, To: events.Finish, Attempt: 1},
		events.Move{
			ID: id(6), Row: 7, From: events.Enqueue, To: events.Error, Attempt: 1,
			Failure: &events.Failure{Code: "SYSTEM_ERROR"},
		},
	)
	return task
}

func differences(t *testing.T, db *ledger.DB, num int64) []recount.Difference {
	t.Helper()
	a, err := recount.New(events.New(db, events.Options{})).Audit(t.Context(), num)
	if err != nil || a == nil {
		t.Fatal(a, err)
	}
	return a.Differences()
}

// TestEachDifferenceIsFoundAndMended creates one difference after another.
func TestEachDifferenceIsFoundAndMended(t *testing.T) {
	tests := []struct{ name, plant, says string }{
		{"counts", "UPDATE rollcall.tasks SET enqueue = enqueue - 1, finish = finish + 1 WHERE num = %d", "count finish is 2, but the rows give 1"},
		{"retrying", "UPDATE rollcall.tasks SET retrying = 2 WHERE num = %d", "count retrying is 2, but the rows give 1"},
		{"skipped", "UPDATE rollcall.tasks SET skipped = 3 WHERE num = %d", "count skipped is 3, but the rows give 0"},
		{"a cause too often", "UPDATE rollcall.error_groups SET count = 5 WHERE task_num = %d AND status = 'error'", "is 5, but the rows give 1"},
		{"a cause lost", "DELETE FROM rollcall.error_groups WHERE task_num = %d", "is 0, but the rows give 1"},
		{"a cause invented", "INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row) VALUES (%d, 'failed', 'X', '', 1, 2)", "is 1, but the rows give 0"},
		{"a feed lost", "DELETE FROM rollcall.feeds WHERE task_num = %d", "the task is not done, but has no feed"},
		{"a feed ahead", "UPDATE rollcall.feeds SET fed = 9 WHERE task_num = %d", "9 rows were fed, but the last row has number 6"},
		{"a feed that stands", "UPDATE rollcall.feeds SET unfed = 0 WHERE task_num = %d", "count of rows to be fed is 0, but the rows give 3"},
		{"done too early", "UPDATE rollcall.tasks SET status = 'finished', finished_at = 5 WHERE num = %d", "the task is done, but 3 rows have not ended"},
	}
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		for _, tt := range tests {
			task := audited(t, db)
			// The feeder would have set this.
			run(t, db, fmt.Sprintf("UPDATE rollcall.feeds SET unfed = 3 WHERE task_num = %d", task.Num))
			if got := differences(t, db, task.Num); len(got) != 0 {
				t.Errorf("%s: at first: %q", tt.name, got)
			}
			before := countsOf(t, db, task)
			run(t, db, fmt.Sprintf(tt.plant, task.Num))
			got := differences(t, db, task.Num)
			if !strings.Contains(fmt.Sprintf("%q", got), tt.says) {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.says)
			}
			mended, err := recount.New(es).Repair(t.Context(), task.Num)
			if diff := cmp.Diff(got, mended); diff != "" || err != nil {
				t.Errorf("%s: Mend: %v (-found +mended):\n%s", tt.name, err, diff)
			}
			if got := differences(t, db, task.Num); len(got) != 0 {
				t.Errorf("%s: after it was mended: %q", tt.name, got)
			}
			if diff := cmp.Diff(before, countsOf(t, db, task)); diff != "" {
				t.Errorf("%s: counts (-before +mended):\n%s", tt.name, diff)
			}
		}
	})
}

// TestATaskThatDidNotEnd: the last job of the task has ended, but the task is not done.
func TestATaskThatDidNotEnd(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2))
		run(t, db, fmt.Sprintf("UPDATE rollcall.events SET status = 'finish' WHERE id = %d", events.NewID(task.Num, 1)))
		if _, err := recount.New(events.New(db, events.Options{})).Repair(t.Context(), task.Num); err != nil {
			t.Fatal(err)
		}
		check(t, db, task, counts{Status: tasks.Finished, Outcome: "success", Total: 1, Finish: 1})
		if got := differences(t, db, task.Num); len(got) != 0 {
			t.Errorf("after it was mended: %q", got)
		}
	})
}

// TestGapsAreNotMended: a person has to decide about lost rows.
func TestGapsAreNotMended(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := audited(t, db)
		run(t, db, fmt.Sprintf("DELETE FROM rollcall.events WHERE id = %d", events.NewID(task.Num, 4)))
		got := fmt.Sprintf("%q", differences(t, db, task.Num))
		if !strings.Contains(got, "the rows have gaps: 5 rows exist, but the last has number 6") {
			t.Errorf("differences: %s", got)
		}
		before := countsOf(t, db, task)
		if _, err := recount.New(events.New(db, events.Options{})).Repair(t.Context(), task.Num); !errors.Is(err, recount.ErrGaps) {
			t.Errorf("Mend = %v, want ErrGaps", err)
		}
		check(t, db, task, before)
	})
}

// TestMendingBesideWriters: while rows change, an audit finds nothing, and repairs lose no count.
func TestMendingBesideWriters(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		rows := testenv.Size[int64](90, 300)
		var drafts []events.Draft
		for i := range rows {
			drafts = append(drafts, good(int(i)+2))
		}
		task := split(t, db, true, drafts...)
		es := events.New(db, events.Options{})
		ctx, stop := context.WithCancel(t.Context())
		var writers, auditor sync.WaitGroup
		for part := range int64(3) {
			writers.Go(func() {
				for seq := part + 1; seq <= rows; seq += 3 {
					to := events.Failed
					if seq%2 == 0 {
						to = events.Finish
					}
					_, err := es.Record(t.Context(), []events.Move{{
						ID: events.NewID(task.Num, seq), From: events.Enqueue, To: to, Attempt: 1,
						Failure: &events.Failure{Code: "X"},
					}})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		auditor.Go(func() {
			run(t, db, fmt.Sprintf("UPDATE rollcall.feeds SET claim_until = 1 WHERE task_num = %d", task.Num)) // nothing is fed here
			for ctx.Err() == nil {
				if got := differences(t, db, task.Num); len(got) != 0 {
					t.Errorf("while rows move: %q", got)
				}
				run(t, db, fmt.Sprintf("UPDATE rollcall.tasks SET retrying = retrying + 1 WHERE num = %d", task.Num))
				if _, err := recount.New(es).Repair(t.Context(), task.Num); err != nil {
					t.Error(err)
				}
			}
		})
		writers.Wait()
		stop()
		auditor.Wait()
		check(t, db, task, counts{
			Status: tasks.FinishedWithFailures, Outcome: "partial", Total: rows, Finish: rows / 2,
			Failed: rows / 2, ErrorGroupRows: rows / 2,
		})
	})
}
