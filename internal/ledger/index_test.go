package ledger_test

import (
	"context"
	"io/fs"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rollcall-dev/rollcall/deployments/migrations"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
)

// beforeIndexes is the schema just before processes could write tasks while an index is made.
const beforeIndexes = 27

// writeTasks takes the lock that a statement takes that writes tasks.
const writeTasks = "LOCK TABLE tasks IN ROW EXCLUSIVE MODE NOWAIT"

// TestTaskIndexes_AreMade_ProcessesWriteTasksMeanwhile has a transaction hold the migration up.
func TestTaskIndexes_AreMade_ProcessesWriteTasksMeanwhile(t *testing.T) {
	t.Parallel()
	pool := poolAt(t, beforeIndexes)
	holder := begin(t, pool)
	do(t, holder, writeTasks)
	done := make(chan struct{})
	go func() {
		defer close(done)
		migrateTo(t, pool, beforeIndexes+1)
	}()
	fixture.Eventually(t, "the migration waits for the transaction", func() bool {
		return 0 < number(t, pool, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "+
			"AND wait_event_type = 'Lock' AND query LIKE '%CREATE INDEX%'")
	})
	writer := begin(t, pool)
	do(t, writer, writeTasks)
	do(t, writer, "COMMIT")
	do(t, holder, "COMMIT")
	<-done
}

// TestTaskIndexes_LeftUnfinishedByACrash_AreMadeAgain marks an index as PostgreSQL does.
func TestTaskIndexes_LeftUnfinishedByACrash_AreMadeAgain(t *testing.T) {
	t.Parallel()
	pool := poolAt(t, beforeIndexes)
	tx := begin(t, pool)
	do(t, tx, "CREATE INDEX tasks_kept_idx ON tasks (created_at) WHERE purged_at = 0 AND created_at > 0")
	do(t, tx, "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'tasks_kept_idx'::regclass")
	do(t, tx, "COMMIT")
	migrateTo(t, pool, beforeIndexes+1)
	n := number(t, pool, "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid::regclass::text "+
		"IN ('tasks_kept_idx', 'tasks_sweep_idx', 'tasks_files_idx')")
	if n != 3 {
		t.Errorf("%d indexes are valid, want 3", n)
	}
}

// TestMigrations_NewIndexOfTasks_IsMadeConcurrently reads the files after 00026.
func TestMigrations_NewIndexOfTasks_IsMadeConcurrently(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(migrations.Files, "postgres/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	locks := regexp.MustCompile(`CREATE (UNIQUE )?INDEX (IF NOT EXISTS )?\w+ ON tasks\b`)
	for _, file := range files {
		text, err := fs.ReadFile(migrations.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		if file > "postgres/00027" && locks.Match(text) {
			t.Errorf("%s: tasks stand still while this index is made: %s", file, locks.Find(text))
		}
	}
}

// poolAt returns a database whose schema has a version.
func poolAt(t *testing.T, version int64) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), testenv.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	migrateTo(t, pool, version)
	return pool
}

func begin(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return tx
}

func do(t *testing.T, tx pgx.Tx, text string) {
	t.Helper()
	var err error
	if text == "COMMIT" {
		err = tx.Commit(t.Context())
	} else {
		_, err = tx.Exec(t.Context(), text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, pool *pgxpool.Pool, text string) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), text).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
