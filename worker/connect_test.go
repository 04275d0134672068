package worker_test

import (
	"database/sql"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestConnect_OnConnectionsOfTheProgram_KeepsThemOpen enqueues over a pool of pgx, a *sql.DB and a
// *gorm.DB, in a transaction of each, and uses them after the client is closed.
func TestConnect_OnConnectionsOfTheProgram_KeepsThemOpen(t *testing.T) {
	t.Parallel()
	url, at := testenv.Postgres(t), testenv.Redis(t)
	options, err := redis.ParseURL(at)
	fine(t, err)
	rdb := redis.NewClient(options)
	pool, err := pgxpool.New(t.Context(), url)
	fine(t, err)
	std, err := sql.Open("pgx", url)
	fine(t, err)
	orm, err := gorm.Open(postgres.New(postgres.Config{Conn: std}))
	fine(t, err)
	t.Cleanup(func() { pool.Close(); _, _ = std.Close(), rdb.Close() })
	send := worker.Define("letters.send", noop[letter])
	row := letter{To: "ada@example.com", Text: "Hello"}
	for name, tt := range map[string]struct {
		host  any
		begin func() (tx any, end func() error)
	}{
		"pgx pool": {pool, func() (any, func() error) {
			tx, err := pool.Begin(t.Context())
			fine(t, err)
			return tx, func() error { return tx.Commit(t.Context()) }
		}},
		"database/sql": {std, func() (any, func() error) {
			tx, err := std.BeginTx(t.Context(), nil)
			fine(t, err)
			return tx, tx.Commit
		}},
		"gorm": {orm, func() (any, func() error) {
			tx := orm.WithContext(t.Context()).Begin()
			fine(t, tx.Error)
			return tx, func() error { return tx.Commit().Error }
		}},
	} {
		c, err := worker.Connect(t.Context(), worker.Backends{Database: tt.host, Redis: rdb, Prefix: "x"},
			worker.NewRegistry(send), worker.ClientOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tx, commit := tt.begin()
		ref, err := send.EnqueueTx(t.Context(), c, tx, row)
		fine(t, err)
		if _, err := c.Find("default", ref.TaskID).Get(t.Context()); err == nil {
			t.Errorf("%s: the job exists before the commit", name)
		}
		fine(t, commit())
		if counts, err := c.Find("default", ref.TaskID).Counts(t.Context()); err != nil || counts.Enqueue != 1 {
			t.Errorf("%s: %+v, %v", name, counts, err)
		}
		_, err = send.Enqueue(t.Context(), c, row)
		fine(t, err)
		fine(t, c.Close())
		fine(t, pool.Ping(t.Context()))
		fine(t, std.PingContext(t.Context()))
		fine(t, rdb.Ping(t.Context()).Err())
	}
	_, err = worker.Connect(t.Context(), worker.Backends{Database: rdb, Redis: rdb}, worker.NewRegistry(), worker.ClientOptions{})
	if err == nil {
		t.Error("Connect took a Redis for a database")
	}
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
