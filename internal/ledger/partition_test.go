package ledger_test

import (
	"context"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/rollcall-dev/rollcall/deployments/migrations"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// beforePartitions is the schema just before events was partitioned.
const beforePartitions = 5

func migrateTo(t *testing.T, pool *pgxpool.Pool, version int64) {
	t.Helper()
	files, err := fs.Sub(migrations.Files, "postgres")
	if err != nil {
		t.Fatal(err)
	}
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

// oldVersion writes as a process of the previous version does, until ctx ends,
// and tells how many rows it has added and finished.
func oldVersion(ctx context.Context, pool *pgxpool.Pool, num int64) (rows int64, err error) {
	for ctx.Err() == nil {
		tx, err := pool.Begin(context.Background())
		if err != nil {
			return rows, err
		}
		id := num<<32 + rows + 1
		_, err = tx.CopyFrom(context.Background(), pgx.Identifier{"events"},
			[]string{"id", "row", "key", "status", "params"},
			pgx.CopyFromRows([][]any{{id, int(rows + 2), "k", "enqueue", "{}"}}))
		if err == nil {
			_, err = tx.Exec(context.Background(),
				"UPDATE events SET status = 'finish' WHERE id = ANY ($1) AND status = 'enqueue'", []int64{id})
		}
		if err == nil {
			err = tx.Commit(context.Background())
		}
		if err != nil {
			_ = tx.Rollback(context.Background()) // the cause is told
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// TestPartitioningWhileTheOldVersionRuns: rows that were there, and rows that
// come meanwhile and afterwards, are all in the partitioned table.
func TestPartitioningWhileTheOldVersionRuns(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	migrateTo(t, pool, beforePartitions)
	exec := func(text string) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	exec("INSERT INTO events (id, row, key, status, params) " +
		"SELECT (1::bigint << 32) + n, n, 'k', 'finish', '{}' FROM generate_series(1, 20000) n")

	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	total := int64(20_000)
	var mu sync.Mutex
	for num := int64(2); num < 5; num++ {
		writers.Go(func() {
			n, err := oldVersion(ctx, pool, num)
			mu.Lock()
			defer mu.Unlock()
			if total += n; err != nil {
				t.Errorf("the old version: %v", err)
			}
		})
	}
	db, err := ledger.Open(t.Context(), url, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop()
	writers.Wait()
	var n, partitioned, done int64
	err = pool.QueryRow(t.Context(), "SELECT count(*), count(*) FILTER (WHERE tableoid = 'events_b0'::regclass), "+
		"count(*) FILTER (WHERE status = 'finish') FROM events").Scan(&n, &partitioned, &done)
	if err != nil || n != total || partitioned != total || done != total {
		t.Errorf("%d rows, %d of them in the first partition, %d finished, want %d; %v",
			n, partitioned, done, total, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPartitioningIsRepeatable has the migration run again, as if it had been
// broken off before it was noted.
func TestPartitioningIsRepeatable(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), testenv.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for i := range 3 {
		migrateTo(t, pool, beforePartitions+1)
		var n int
		err := pool.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass").Scan(&n)
		if err != nil || n != 2 {
			t.Errorf("run %d: %d partitions, want 2; %v", i, n, err)
		}
		text := fmt.Sprintf("DELETE FROM goose_db_version WHERE version_id > %d", beforePartitions)
		if _, err := pool.Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
}
