package boot

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestLedgerFigures_RowWaitsInTheLedger_ItsAgeIsTheLag tests an empty Redis, and no Redis.
func TestLedgerFigures_RowWaitsInTheLedger_ItsAgeIsTheLag(t *testing.T) {
	t.Parallel()
	fine := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rdb, stop, err := settings.EmbeddedRedis()
	fine(err)
	db, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), ledger.Options{})
	fine(err)
	t.Cleanup(func() { _ = db.Close() })
	kinds, err := noKinds(t.Context(), db)
	fine(err)
	a := &app{
		db: db, tasks: tasks.New(db, tasks.Options{Now: db.Now}), kinds: kinds,
		queue: queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: "mails.send"}}}),
	}
	figures := func() map[string]float64 {
		out := map[string]float64{}
		fine(a.collectLedger(t.Context(), func(name string, value float64, _ ...string) { out[name] = value }))
		return out
	}
	if got := figures(); got["rows_wait_seconds"] != 0 || got["rows_waiting"] != 0 {
		t.Errorf("nothing waits: %v", got)
	}
	task := &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "mails.send", Type: tasks.Batch, Status: tasks.Open}
	fine(a.tasks.Create(context.WithoutCancel(t.Context()), task, time.Hour))
	for _, text := range []string{
		"UPDATE rollcall.tasks SET total = 3, enqueue = 3, total_is_final = TRUE, status = 'running', created_at = created_at - 600000",
		"UPDATE rollcall.feeds SET unfed = 3",
	} {
		fine(db.Write.Exec(text).Error)
	}
	for _, when := range []string{"Redis is empty", "Redis is away"} {
		if got := figures(); got["rows_wait_seconds"] < 600 || got["rows_waiting"] != 3 || got["rows_waiting_age_seconds"] > 60 {
			t.Errorf("%s: %v", when, got)
		}
		if when == "Redis is empty" {
			fine(stop())
		}
	}
}
