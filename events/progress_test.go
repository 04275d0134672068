package events_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// follows adds a webhook for topics, in the form in which the ledger has them.
func follows(t *testing.T, db *ledger.DB, topics string) {
	t.Helper()
	err := db.Write.Exec("INSERT INTO rollcall.webhooks (id, tenant, url, topics, secret, created_at) VALUES (?, 'acme', 'x', ?, '', 1)",
		tasks.NewID(), topics).Error
	if err != nil {
		t.Fatal(err)
	}
}

// ofRows adds a task of n valid rows.
func ofRows(t *testing.T, db *ledger.DB, n int) *tasks.Task {
	t.Helper()
	rows := make([]events.Draft, n)
	for i := range rows {
		rows[i] = good(i + 2)
	}
	return split(t, db, true, rows...)
}

// steps returns the numbers of processed rows in the notices of progress.
func steps(t *testing.T, db *ledger.DB, task *tasks.Task) (out []int) {
	t.Helper()
	for _, n := range outbox(t, db, task) {
		if n.Topic == "task.progress" {
			out = append(out, n.Finish+n.Failed+n.Error)
		}
	}
	return out
}

func TestProgress_EachTenth_IsNoticedOnceForItsSubscribers(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		follows(t, db, "") // all topics, but not progress
		silent := ofRows(t, db, 20)
		record(t, db, end(silent, 1, events.Finish), end(silent, 2, events.Finish))
		if got := steps(t, db, silent); got != nil {
			t.Errorf("a webhook without topics gets %v", got)
		}
		follows(t, db, ",task.finished,,task.progress,")
		task := ofRows(t, db, 20)
		record(t, db, end(task, 1, events.Finish))
		record(t, db, end(task, 2, events.Finish), bad(task, 3, events.Error)) // 3 of 20
		record(t, db, end(task, 2, events.Finish))                             // late, and refused
		record(t, db, events.Move{ID: events.NewID(task.Num, 4), From: events.Enqueue, To: events.Working, Attempt: 1})
		var many []events.Move
		for seq := range int64(8) {
			many = append(many, end(task, seq+5, events.Finish))
		}
		record(t, db, many...) // 11 of 20: the tenths between have no notices of their own
		for seq := range int64(8) {
			record(t, db, end(task, seq+13, events.Finish))
		}
		if got, want := steps(t, db, task), []int{3, 11, 12, 14, 16, 18}; !slices.Equal(got, want) {
			t.Errorf("notices at %v rows, want %v", got, want)
		}
		last := events.Move{ID: events.NewID(task.Num, 4), From: events.Working, FromAttempt: 1, To: events.Finish, Attempt: 1, FinishedAt: 1}
		record(t, db, last)
		all := outbox(t, db, task)
		if n := len(steps(t, db, task)); n != 6 || all[len(all)-1].Topic != "task.finished" {
			t.Errorf("%d notices of progress, the last notice is %v", n, all[len(all)-1])
		}
		few := ofRows(t, db, 9)
		record(t, db, end(few, 1, events.Finish), end(few, 2, events.Finish))
		if got := steps(t, db, few); got != nil {
			t.Errorf("a task of 9 rows has %v", got)
		}
	})
}

func TestProgress_ManyRecorders_NoticeEachTenthOnce(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		follows(t, db, ",task.progress,")
		task := ofRows(t, db, 40)
		var all sync.WaitGroup
		for part := range int64(8) {
			all.Go(func() {
				for seq := part + 1; seq <= 40; seq += 4 { // each row twice
					_, _ = events.New(db, events.Options{}).Record(t.Context(), []events.Move{end(task, seq, events.Finish)})
				}
			})
		}
		all.Wait()
		if got, want := steps(t, db, task), []int{4, 8, 12, 16, 20, 24, 28, 32, 36}; !slices.Equal(got, want) {
			t.Errorf("notices at %v rows, want %v", got, want)
		}
	})
}
