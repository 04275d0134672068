package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// countTo returns @n. It counts up to this number, which takes long for a large number.
const countTo = "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < @n) SELECT max(i) FROM c"

// TestStmts_SameText_IsCompiledOnce runs a statement in transactions, through gorm and without it.
func TestStmts_SameText_IsCompiledOnce(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	const text = "UPDATE kept SET name = 'b' WHERE id = ?"
	var first *keptStmt
	for i := range 3 {
		must(t, db.GormTx(t.Context(), func(tx Gorm) error { return tx.Exec(text, i).Error }))
		_, err := db.Writer().(sqliteTx).repeat(t.Context(), text, [][]any{{1}, {2}})
		must(t, err)
		must(t, db.Write.Exec(text, i).Error)
		found := 0
		for _, s := range idleOf(t, db.Write) {
			if s.text == text {
				found++
				first = orFirst(first, s)
				if s != first {
					t.Error("the text was compiled again")
				}
			}
		}
		if found != 1 {
			t.Errorf("%d statements of the text are kept, want 1", found)
		}
	}
}

// TestStmts_ManyTexts_FewAreKept checks that a connection keeps the most recently used statements.
func TestStmts_ManyTexts_FewAreKept(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	for i := range 2 * maxStmts {
		must(t, db.Write.Exec(fmt.Sprintf("UPDATE kept SET name = 'c%d' WHERE id = ?", i), i).Error)
	}
	idle := idleOf(t, db.Write)
	if len(idle) != maxStmts || idle[maxStmts-1].text != fmt.Sprintf("UPDATE kept SET name = 'c%d' WHERE id = ?", 2*maxStmts-1) {
		t.Errorf("%d statements are kept, the last %q", len(idle), idle[len(idle)-1].text)
	}
}

// TestStmts_SameTextWhileItsRowsAreRead_RunsBeside runs a query while the rows of the same query
// are read.
func TestStmts_SameTextWhileItsRowsAreRead_RunsBeside(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	const text = "SELECT id FROM kept WHERE id >= @from ORDER BY id"
	var got []int64
	read := func(tx Tx, from int64, row func(int64) error) error {
		return tx.Query(t.Context(), text, Args{"from": from}, func(scan Scan) error {
			var id int64
			if err := scan(&id); err != nil {
				return err
			}
			got = append(got, id)
			return row(id)
		})
	}
	must(t, db.InTx(t.Context(), func(tx Tx) error {
		must(t, read(tx, 3, func(int64) error { return nil })) // the connection keeps the statement from here on
		return read(tx, 1, func(int64) error { return read(tx, 3, func(int64) error { return nil }) })
	}))
	if fmt.Sprint(got) != "[3 1 3 2 3 3 3]" {
		t.Errorf("rows %v", got)
	}
}

// TestStmts_SchemaChangedByAnotherConnection_AreRight adds a column, and creates the table again.
func TestStmts_SchemaChangedByAnotherConnection_AreRight(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	wantName(t, db, "a")
	must(t, db.Write.Exec("ALTER TABLE kept ADD COLUMN more text").Error)
	wantName(t, db, "a")
	must(t, db.Write.Exec("DROP TABLE kept; CREATE TABLE kept (more text, name text, id integer); "+
		"INSERT INTO kept VALUES ('m', 'z', 1)").Error)
	wantName(t, db, "z")
	must(t, db.Write.Exec("DROP TABLE kept").Error)
	if _, err := nameOf(t, db); err == nil {
		t.Error("a table that is gone was read")
	}
}

// TestStmts_AfterAnError_KeepNoValue fails an insert, and repeats it with fewer values.
func TestStmts_AfterAnError_KeepNoValue(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	const text = "INSERT INTO kept (id, name) VALUES (@id, @name)"
	if _, err := db.Writer().Exec(t.Context(), text, Args{"id": 1, "name": "old"}); err == nil {
		t.Fatal("an id was taken twice")
	}
	_, err := db.Writer().Exec(t.Context(), text, Args{"id": 9})
	must(t, err)
	var name sql.NullString
	_, err = Row(t.Context(), db.Writer(), "SELECT name FROM kept WHERE id = 9", nil, &name)
	if err != nil || name.Valid {
		t.Errorf("name %v, %v: want none", name, err)
	}
}

// TestStmts_Interrupted_HoldNoLock interrupts a statement. Then the write-ahead log can be truncated, and
// the statement can run again.
func TestStmts_Interrupted_HoldNoLock(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var n int64
	err := db.View(ctx, func(tx Tx) error {
		_, err := Row(ctx, tx, countTo+", kept", Args{"n": int64(1e12)}, &n)
		return err
	})
	if err == nil {
		t.Fatal("the statement was not interrupted")
	}
	must(t, db.Write.Exec("UPDATE kept SET name = 'after'").Error)
	var busy, pages, done int64
	_, err = Row(t.Context(), db.Writer(), "PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &pages, &done)
	if err != nil || busy != 0 {
		t.Errorf("busy %d, %v: a reader is left", busy, err)
	}
	if _, err := Row(t.Context(), db.Reader(), countTo+", kept", Args{"n": 7}, &n); err != nil || n != 7 {
		t.Errorf("%d, %v: want 7", n, err)
	}
}

// TestStmts_UsedInParallel_AreRight reads and writes with the same texts, and closes the ledger
// without an error: SQLite does not close a connection with open statements.
func TestStmts_UsedInParallel_AreRight(t *testing.T) {
	t.Parallel()
	db := openKept(t)
	var all sync.WaitGroup
	for id := range int64(8) {
		all.Go(func() {
			for i := range int64(50) {
				_, err := db.Writer().Exec(t.Context(), "INSERT INTO kept (id, name) VALUES (@id, @name)",
					Args{"id": 100*(id+1) + i, "name": fmt.Sprint(id)})
				must(t, err)
				var n int64
				_, err = Row(t.Context(), db.Reader(), "SELECT count(*) FROM kept WHERE name = @name", Args{"name": fmt.Sprint(id)}, &n)
				if err != nil || n != i+1 {
					t.Errorf("%d rows, %v: want %d", n, err, i+1)
				}
			}
		})
	}
	all.Wait()
	must(t, db.Close())
}

// openKept returns a ledger on SQLite with a table of three rows.
func openKept(t *testing.T) *DB {
	t.Helper()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), Options{})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	must(t, db.Write.Exec("CREATE TABLE kept (id integer PRIMARY KEY, name text)").Error)
	must(t, db.Write.Exec("INSERT INTO kept VALUES (1, 'a'), (2, 'a'), (3, 'a')").Error)
	return db
}

// idleOf returns the statements that a connection of the pool keeps.
func idleOf(t *testing.T, g Gorm) (idle []*keptStmt) {
	t.Helper()
	pool, err := g.DB()
	must(t, err)
	conn, err := pool.Conn(t.Context())
	must(t, err)
	defer conn.Close()
	must(t, conn.Raw(func(own any) error {
		idle = own.(*cachingConn).idle
		return nil
	}))
	return idle
}

func orFirst(first, s *keptStmt) *keptStmt {
	if first == nil {
		return s
	}
	return first
}

func nameOf(t *testing.T, db *DB) (name string, err error) {
	err = db.View(t.Context(), func(tx Tx) error {
		_, err := Row(t.Context(), tx, "SELECT name FROM kept WHERE id = @id", Args{"id": 1}, &name)
		return err
	})
	return name, err
}

func wantName(t *testing.T, db *DB, want string) {
	t.Helper()
	for range 2 {
		if name, err := nameOf(t, db); err != nil || name != want {
			t.Errorf("name %q, %v: want %q", name, err, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
