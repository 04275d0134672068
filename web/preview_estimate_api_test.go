package web_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// estimate returns the estimate of a check, in seconds; nil for none.
func (l *lab) estimate(n int) any {
	l.t.Helper()
	r := l.preview("p.csv", rows(n), "")
	r.is(http.StatusOK)
	return r.object()["estimate_s"]
}

// ran adds a task of which n rows ran, for the given time.
func (l *lab) ran(n int, took time.Duration) (id string) {
	l.t.Helper()
	id = l.accepted(fmt.Sprintf("%d-%s.csv", n, took), rows(n), "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.pass(took)
	l.move(id, events.Finish, nil, seqs(int64(n))[1:]...)
	return id
}

// TestPreview_Estimate_IsTheMedianOfTheRowsOfEarlierTasks covers the cases in which there is no figure:
// no earlier task, tasks that do not agree, and many more rows than ever ran.
func TestPreview_Estimate_IsTheMedianOfTheRowsOfEarlierTasks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	if got := l.estimate(1000); got != nil {
		t.Errorf("without tasks: %v", got)
	}
	l.ran(200, 10*time.Second)
	l.ran(200, 14*time.Second)
	l.ran(400, 24*time.Second)
	if got := l.estimate(1000); got != 60.0 {
		t.Errorf("tasks of 50, 60 and 70 ms a row: %v, want 60", got)
	}
	if got := l.estimate(9000); got != nil {
		t.Errorf("800 rows for an estimate of 9000: %v", got)
	}
	l.ran(800, time.Second)
	if got := l.estimate(1000); got != nil {
		t.Errorf("half of the rows in 1 ms, half in 50 and more: %v", got)
	}
}

// TestPreview_Estimate_LeavesOutRetriesAndUsers covers a task with a retry after a minute, and with a
// row that a user corrected after an hour.
func TestPreview_Estimate_LeavesOutRetriesAndUsers(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, address string) {
		l := newLabOn(t, address)
		id := l.accepted("a.csv", rows(200), "")
		l.split()
		l.move(id, events.Finish, nil, 1)
		l.pass(10 * time.Second)
		l.move(id, events.Finish, nil, seqs(198)[1:]...)
		num := l.task(id).Num
		later := func(row int64, from, to events.Move) {
			t.Helper()
			for _, m := range []events.Move{from, to} {
				m.ID, m.Row, m.StartedAt = events.NewID(num, row), int(row)+1, l.now.Load()
				if m.To.AtRest() {
					m.FinishedAt = l.now.Load()
				}
				made, err := l.opt.Events.Record(t.Context(), []events.Move{m})
				if fine(t, err); !made[0] {
					t.Fatalf("row %d: %+v was not made", row, m)
				}
				l.pass(time.Hour)
			}
		}
		for _, row := range []int64{199, 200} {
			later(row,
				events.Move{From: events.Enqueue, To: events.Enqueue, Attempt: 1, NextRunAt: l.now.Load()},
				events.Move{From: events.Enqueue, FromAttempt: 1, To: events.Finish, Attempt: 2})
		}
		if got := l.estimate(1000); got != 51.0 { // 198 of 200 rows in 10 s
			t.Errorf("estimate of %v s, want 51", got)
		}
	})
}

// TestPreview_Estimate_LeavesOutRowsThatAUserCorrectedFirst: such rows run for the first time a day later.
func TestPreview_Estimate_LeavesOutRowsThatAUserCorrectedFirst(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(200), "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.pass(9 * time.Second)
	l.move(id, events.Finish, nil, seqs(180)[1:]...)
	l.pass(24 * time.Hour)
	l.move(id, events.Finish, nil, seqs(200)[180:]...)
	if got := l.estimate(1000); got != 50.0 {
		t.Errorf("180 rows in 9 s, 20 a day later: %v s for 1000 rows, want 50", got)
	}
}
