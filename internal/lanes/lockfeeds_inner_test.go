package lanes

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestLockFeeds_OneIsLocked_HoldsNothingOlder has a step of a lane wait for the feed of a task. The
// step holds only feeds of younger tasks, so it cannot deadlock with a group of outcomes.
func TestLockFeeds_OneIsLocked_HoldsNothingOlder(t *testing.T) {
	t.Parallel()
	db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	store, nums := tasks.New(db, tasks.Options{}), []int64(nil)
	for range 20 {
		one := &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Running}
		if err := store.Create(t.Context(), one, time.Hour); err != nil {
			t.Fatal(err)
		}
		nums = append(nums, one.Num)
	}
	const lock = "SELECT task_num FROM rollcall.feeds WHERE task_num = ? FOR UPDATE"
	other := db.Write.Begin()
	defer other.Rollback()
	if err := other.Exec(lock, nums[10]).Error; err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- db.InTx(t.Context(), func(tx ledger.Tx) error { return feedrow.Lock(t.Context(), tx, nums) })
	}()
	for n := 0; n == 0; time.Sleep(20 * time.Millisecond) { // until Lock waits
		db.Read.Raw("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n)
		if len(done) > 0 {
			t.Fatal("it did not wait:", <-done)
		}
	}
	for i, want := range map[int]bool{0: true, 9: true, 11: false, 19: false} {
		if free := db.Write.Exec(lock+" SKIP LOCKED", nums[i]).RowsAffected == 1; free != want {
			t.Errorf("feed %d is free: %v, want %v", i, free, want)
		}
	}
	other.Rollback()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
