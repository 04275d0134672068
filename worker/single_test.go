package worker_test

import (
	"context"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// record returns a row of a table that Enqueue wrote.
func (s *shop) record(table, where string, arg any) map[string]any {
	s.Helper()
	out := map[string]any{}
	s.fine(s.DB.Read.Table("rollcall."+table).Where(where, arg).Take(&out).Error)
	return out
}

// TestEnqueue_TaskOfOneJob_IsAsCreateMakesIt: the statements of Enqueue omit columns with their
// defaults, so their rows must equal those of Create.
func TestEnqueue_TaskOfOneJob_IsAsCreateMakesIt(t *testing.T) {
	onEach(t, func(s *shop) {
		at := time.Now().Add(time.Hour).Truncate(time.Millisecond)
		ref, err := s.plain.Enqueue(s.Context(), s.client, map[string]any{"<é&\\\"": 1}, worker.Key("k\"1"),
			worker.Name("n'1"), worker.Priority(7), worker.Labels(map[string]string{"a": "<b>"}), worker.At(at), worker.Tenant("globex"))
		s.fine(err)
		got := s.record("tasks", "id = ?", ref.TaskID)
		task := &tasks.Task{
			ID: tasks.NewID(), Tenant: "globex", Kind: got["kind"].(string), Type: tasks.Batch, Name: "n'1",
			Status: tasks.Running, Priority: 7, Labels: map[string]string{"a": "<b>"}, RunAt: at.UnixMilli(), TotalIsFinal: true,
			Counts: tasks.Counts{Total: 1, Enqueue: 1},
		}
		s.fine(s.Tasks.Create(s.Context(), task, time.Duration(got["keep"].(int64))*time.Millisecond))
		want := s.record("tasks", "id = ?", task.ID)
		feeds := []map[string]any{s.record("feeds", "task_num = ?", want["num"]), s.record("feeds", "task_num = ?", got["num"])}
		for _, row := range append(feeds, want, got) {
			if made, ok := row["created_at"].(int64); ok {
				row["expires_at"] = row["expires_at"].(int64) - made
			}
			maps.DeleteFunc(row, func(name string, _ any) bool {
				return name == "num" || name == "id" || name == "created_at" || name == "task_num"
			})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			s.Errorf("task (-Create +Enqueue):\n%s", diff)
		}
		if diff := cmp.Diff(feeds[0], feeds[1]); diff != "" {
			s.Errorf("feed (-Create +Enqueue):\n%s", diff)
		}
		s.isJobOf("globex", ref, `k"1`, `{"\u003cé\u0026\\\"":1}`)
	})
}

// tracer is a counter of the statements on their way to Postgres.
type tracer struct{ n atomic.Int64 }

func (c *tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (c *tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) { c.n.Add(1) }

func (c *tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// begin returns functions that begin a transaction of each type that EnqueueTx accepts, on a pool
// of its own.
func (c *tracer) begin(s *shop) map[string]func() (tx any, rollback func()) {
	cfg, err := pgxpool.ParseConfig(s.Options.Ledger)
	s.fine(err)
	cfg.ConnConfig.Tracer = c
	pool, err := pgxpool.NewWithConfig(s.Context(), cfg)
	s.fine(err)
	s.Cleanup(pool.Close)
	db := stdlib.OpenDBFromPool(pool)
	s.Cleanup(func() { _ = db.Close() })
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: db}), &gorm.Config{})
	s.fine(err)
	return map[string]func() (any, func()){
		"pgx.Tx": func() (any, func()) {
			tx, err := pool.Begin(s.Context())
			s.fine(err)
			return tx, func() { _ = tx.Rollback(s.Context()) }
		},
		"*sql.Tx": func() (any, func()) {
			tx, err := db.BeginTx(s.Context(), nil)
			s.fine(err)
			return tx, func() { _ = tx.Rollback() }
		},
		"*gorm.DB": func() (any, func()) { tx := g.Begin(); return tx, func() { tx.Rollback() } },
	}
}

func TestEnqueueTx_OnPostgres_TakesOneStatement(t *testing.T) {
	s, count := newShop(t, ledgers.Postgres(t), enqueue.Options{}), &tracer{}
	for name, begin := range count.begin(s) {
		c := newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{}) // for the first job, it reads the partitions and the limits
		tx, rollback := begin()
		for i, want := range []int64{3, 1, 1} {
			before := count.n.Load()
			_, err := s.plain.EnqueueTx(s.Context(), c, tx, map[string]any{"n": i})
			if n := count.n.Load() - before; err != nil || n != want {
				s.Errorf("%s: %d statements for job %d, want %d; %v", name, n, i+1, want, err)
			}
		}
		rollback()
	}
}

// TestEnqueue_NoPartitionYet_MakesIt moves the numbers of tasks to a block without a partition.
func TestEnqueue_NoPartitionYet_MakesIt(t *testing.T) {
	onEach(t, func(s *shop) {
		if s.DB.Pool == nil {
			return // SQLite has no partitions
		}
		calls := map[string]func() (worker.Ref, error){
			"together": func() (worker.Ref, error) { return s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": 1}) },
			"unique":   func() (worker.Ref, error) { return s.sell.Enqueue(s.Context(), s.client, anvil("a1")) },
			"in tx": func() (ref worker.Ref, err error) {
				err = s.DB.Write.Transaction(func(tx ledger.Gorm) error {
					ref, err = s.plain.EnqueueTx(s.Context(), s.client, tx, map[string]any{"n": 2})
					return err
				})
				return ref, err
			},
		}
		block := 5
		for name, f := range calls {
			s.client = newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{}) // it has not read the partitions yet
			block += 5
			s.fine(s.DB.Write.Exec("SELECT setval('rollcall.tasks_num_seq', ?)", block<<16).Error)
			if ref, err := f(); err != nil || ref.ID == "" {
				s.Errorf("%s: %+v, %v", name, ref, err)
			}
		}
	})
}
