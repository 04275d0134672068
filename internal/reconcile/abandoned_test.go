package reconcile_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// abandoned returns two tasks whose claims have expired. When the first task is claimed, a trigger
// gives the claim to another process.
func abandoned(t *testing.T, db *ledger.DB, ts *tasks.Store) (list []*tasks.Task) {
	t.Helper()
	for range 2 {
		task := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Splitting,
		}
		if _, err := ts.CreateHeld(t.Context(), task, tasks.Terms{Keep: time.Hour}, -time.Minute); err != nil {
			t.Fatal(err)
		}
		list = append(list, task)
	}
	const steal = `CREATE TRIGGER steal AFTER UPDATE OF split_claim ON rollcall.tasks
		WHEN NEW.num = (SELECT min(num) FROM rollcall.tasks)
		BEGIN UPDATE rollcall.tasks SET split_claim = 7 WHERE num = NEW.num; END`
	if err := db.Write.Exec(steal).Error; err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAbandonedCloser_ClaimIsLost_LogsNoClose(t *testing.T) {
	t.Parallel()
	db, err := ledger.Open(t.Context(), ledgers.SQLite(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ts, es := tasks.New(db, tasks.Options{}), events.New(db, events.Options{})
	list := abandoned(t, db, ts)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	closer := reconcile.NewAbandonedCloser(ts, es, reconcile.AbandonedOptions{Log: log})
	if err := closer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, closed := range []bool{false, true} {
		got, err := ts.Get(t.Context(), "acme", list[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		if logged := strings.Contains(out.String(), got.ID); got.TotalIsFinal != closed || logged != closed {
			t.Errorf("task %d: closed %v, logged %v, want %v", i, got.TotalIsFinal, logged, closed)
		}
	}
}
