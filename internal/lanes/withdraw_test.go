package lanes

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// claimed returns a store with the claim of the lane of a running task.
func claimed(t *testing.T, url string) (*Store, *tasks.Store, *tasks.Task, LaneClaim) {
	t.Helper()
	db, err := ledger.Open(t.Context(), url, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	all := tasks.New(db, tasks.Options{})
	task := &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Running}
	if err := all.Create(t.Context(), task, time.Hour); err != nil {
		t.Fatal(err)
	}
	s := New(all)
	_, _, err = s.ClaimTask(t.Context(), task.Num, time.Minute) // it gives the task its lane
	if err != nil {
		t.Fatal(err)
	}
	g, done, err := s.ClaimTask(t.Context(), task.Num, time.Minute)
	if err != nil || done || g.None() {
		t.Fatalf("the claim: %+v, done %t, %v", g, done, err)
	}
	return s, all, task, g
}

// TestWithdraw_WhileRowsEnd_LocksNoLane: a pause locks the task and then its lane. If Withdraw
// locked the lane before f locks the task, the two would deadlock.
func TestWithdraw_WhileRowsEnd_LocksNoLane(t *testing.T) {
	t.Parallel()
	s, all, task, g := claimed(t, ledgers.Postgres(t))
	err := s.Withdraw(t.Context(), g, func(ledger.Tx) (Step, Shift, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := all.Pause(ctx, "acme", task.ID); err != nil {
			t.Errorf("a pause meanwhile: %v", err)
		}
		return Step{Feed: g.Feeds[0]}, Shift{}, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWithdraw_LostClaim_ChangesNothing: the changes that f has made are rolled back.
func TestWithdraw_LostClaim_ChangesNothing(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		s, all, task, g := claimed(t, url)
		g.Claim++
		err := s.Withdraw(t.Context(), g, func(tx ledger.Tx) (Step, Shift, error) {
			_, err := tx.Exec(t.Context(), "UPDATE rollcall.tasks SET name = 'x' WHERE num = @num", ledger.Args{"num": task.Num})
			return Step{Feed: g.Feeds[0]}, Shift{}, err
		})
		if !errors.Is(err, tasks.ErrClaimLost) {
			t.Errorf("the error is %v", err)
		}
		now, err := all.Get(t.Context(), "acme", task.ID)
		if err != nil || now.Name != "" {
			t.Errorf("name %q, %v", now.Name, err)
		}
	})
}
