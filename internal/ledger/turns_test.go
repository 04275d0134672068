package ledger_test

import (
	"database/sql"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"
	_ "github.com/ncruces/go-sqlite3/driver"
	"github.com/pressly/goose/v3"

	"github.com/rollcall-dev/rollcall/deployments/migrations"
)

// beforeTurns is the schema just before tasks had a column for the work they wait for.
const beforeTurns = 28

// addTasks adds tasks as the previous version does. Each is named after the work it waits for.
const addTasks = `INSERT INTO tasks (id, name, tenant, kind, type, status, created_at, file_id, split_claim, total_is_final,
	unmerged, total, enqueue, finish, finished_at) VALUES
	('r' || ?, 'read', 'a', 'k', 'import', 'splitting', 1, 'f' || ?, 5, FALSE, FALSE, 0, 0, 0, 0),
	('p' || ?, 'plan', 'a', 'k', 'export', 'open', 1, '', 0, FALSE, TRUE, 0, 0, 0, 0),
	('m' || ?, 'merge', 'a', 'k', 'export', 'running', 1, '', 0, TRUE, TRUE, 2, 0, 2, 0),
	('g' || ?, 'program', 'a', 'k', 'batch', 'open', 1, '', 7, FALSE, FALSE, 0, 0, 0, 0),
	('n' || ?, 'none', 'a', 'k', 'export', 'running', 1, '', 0, TRUE, TRUE, 2, 1, 1, 0),
	('o' || ?, 'none', 'a', 'k', 'batch', 'open', 1, '', 0, FALSE, FALSE, 0, 0, 0, 0),
	('e' || ?, 'none', 'a', 'k', 'import', 'finished', 1, 'e' || ?, 0, TRUE, FALSE, 0, 0, 0, 9)`

// works holds the column work of the tasks of addTasks.
var works = map[string]int{"none": 0, "read": 1, "plan": 2, "merge": 3, "program": 4}

// TestTurns_TasksOfThePreviousVersion_WaitForTheirWork adds tasks before the migration and after it.
func TestTurns_TasksOfThePreviousVersion_WaitForTheirWork(t *testing.T) {
	t.Parallel()
	sqlite, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer sqlite.Close()
	postgres := stdlib.OpenDBFromPool(poolAt(t, 1))
	defer postgres.Close()
	for folder, db := range map[string]*sql.DB{"sqlite": sqlite, "postgres": postgres} {
		up(t, folder, db, beforeTurns)
		add(t, folder, db, "before")
		up(t, folder, db, beforeTurns+2)
		add(t, folder, db, "after")
		got := 0
		for name, work := range works {
			err := db.QueryRow("SELECT count(*) FROM tasks WHERE name = '" + name + "' AND work = " + strconv.Itoa(work)).Scan(&got)
			want := 2
			if name == "none" {
				want = 6
			}
			if err != nil || got != want {
				t.Errorf("%s: %d tasks wait for %s, want %d (%v)", folder, got, name, want, err)
			}
		}
		// The previous version ends what it has begun.
		for _, text := range []string{
			"UPDATE tasks SET total_is_final = TRUE, split_claim = 0, status = 'running' WHERE name IN ('read', 'plan', 'program')",
			"UPDATE tasks SET unmerged = FALSE WHERE name IN ('merge', 'plan')",
		} {
			if _, err := db.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.QueryRow("SELECT count(*) FROM tasks WHERE work > 0").Scan(&got); err != nil || got != 0 {
			t.Errorf("%s: %d tasks wait for work that was done (%v)", folder, got, err)
		}
	}
}

// TestTurns_TheMigrationBrokeOff_IsRepeated leaves an index as a crash does.
func TestTurns_TheMigrationBrokeOff_IsRepeated(t *testing.T) {
	t.Parallel()
	pool := poolAt(t, beforeTurns+2)
	tx := begin(t, pool)
	do(t, tx, "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'tasks_work_idx'::regclass")
	do(t, tx, "DELETE FROM goose_db_version WHERE version_id = 30")
	do(t, tx, "COMMIT")
	migrateTo(t, pool, beforeTurns+2)
	got := number(t, pool, "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid = 'tasks_work_idx'::regclass")
	if got != 1 {
		t.Errorf("%d valid indexes, want 1", got)
	}
}

func up(t *testing.T, folder string, db *sql.DB, version int64) {
	t.Helper()
	files, err := fs.Sub(migrations.Files, folder)
	if err != nil {
		t.Fatal(err)
	}
	dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[folder]
	p, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	if err == nil {
		_, err = p.UpTo(t.Context(), version)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, folder string, db *sql.DB, suffix string) {
	t.Helper()
	text := strings.ReplaceAll(addTasks, "?", "'"+suffix+"'")
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
}
