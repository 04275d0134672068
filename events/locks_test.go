package events_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestRecord_GroupWaitsForAParent_HoldsNothingOlder has a group end a child while another group
// has its parent locked.
func TestRecord_GroupWaitsForAParent_HoldsNothingOlder(t *testing.T) {
	db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	es := events.New(db, events.Options{})
	old, parent, child := split(t, db, true, good(2)), split(t, db, true, good(2)), split(t, db, true, good(2))
	db.Write.Exec("UPDATE rollcall.tasks SET parent = ? WHERE num = ?", parent.Num, child.Num)
	db.Write.Exec("UPDATE rollcall.tasks SET children = 1 WHERE num = ?", parent.Num)
	ids := []events.ID{events.NewID(child.Num, 1), events.NewID(old.Num, 1)}
	other := db.Write.Begin() // a group with a job of the parent and one of old: it locks the younger first
	defer other.Rollback()
	if err := other.Exec("SELECT num FROM rollcall.tasks WHERE num = ? FOR UPDATE", parent.Num).Error; err != nil {
		t.Fatal(err)
	}
	done := go_(func() {
		made, err := es.Record(t.Context(), []events.Move{
			{ID: ids[0], From: events.Enqueue, To: events.Finish, Attempt: 1, FinishedAt: 8},
			{ID: ids[1], From: events.Enqueue, To: events.Finish, Attempt: 1, FinishedAt: 8},
		})
		t.Log(made, err)
	})
	waits(t, db, done)
	if err := other.Exec("SELECT num FROM rollcall.tasks WHERE num = ? FOR UPDATE NOWAIT", old.Num).Error; err != nil {
		t.Errorf("crosswise: the group holds task %d and waits for %d: %v", old.Num, parent.Num, err)
	}
	other.Rollback()
	<-done
}

// TestRecord_GroupWaitsForATask_HoldsNoOlderParent: a group has a child, and a task that is younger
// than the parent of the child. The group must lock that task before the parent.
func TestRecord_GroupWaitsForATask_HoldsNoOlderParent(t *testing.T) {
	db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	parent, middle, child := split(t, db, true, good(2)), split(t, db, true, good(2)), split(t, db, true, good(2))
	db.Write.Exec("UPDATE rollcall.tasks SET parent = ? WHERE num = ?", parent.Num, child.Num)
	db.Write.Exec("UPDATE rollcall.tasks SET children = 1 WHERE num = ?", parent.Num)
	record(t, db, end(parent, 1, events.Finish))
	other := db.Write.Begin() // a group with a job of middle and one of the parent
	defer other.Rollback()
	if err := other.Exec("SELECT num FROM rollcall.tasks WHERE num = ? FOR UPDATE", middle.Num).Error; err != nil {
		t.Fatal(err)
	}
	done := go_(func() { record(t, db, end(child, 1, events.Finish), end(middle, 1, events.Finish)) })
	waits(t, db, done)
	if err := other.Exec("SELECT num FROM rollcall.tasks WHERE num = ? FOR UPDATE NOWAIT", parent.Num).Error; err != nil {
		t.Errorf("crosswise: the group holds task %d and waits for %d: %v", parent.Num, middle.Num, err)
	}
	other.Rollback()
	<-done
	for _, task := range []*tasks.Task{parent, middle, child} {
		if got := rest(t, db, task); got["ended"] != true || got["feeds"] != int64(0) || got["notices"] != int64(1) {
			t.Errorf("task %d: %+v", task.Num, got)
		}
	}
}

func go_(f func()) <-chan struct{} {
	out := make(chan struct{})
	go func() { defer close(out); f() }()
	return out
}

// waits returns when a transaction waits for another one.
func waits(t *testing.T, db *ledger.DB, done <-chan struct{}) {
	t.Helper()
	for n := 0; n == 0; {
		select {
		case <-done:
			t.Error("ended")
			return
		case <-time.After(20 * time.Millisecond):
		}
		db.Read.Raw("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n)
	}
}
