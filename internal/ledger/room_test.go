package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestEvents_AllRowsOfAPageEnd_NineInTenStayOnIt ends rows of the first partition and of a later
// one, while a snapshot keeps Postgres from cleaning pages.
func TestEvents_AllRowsOfAPageEnd_NineInTenStayOnIt(t *testing.T) {
	t.Parallel()
	db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	pool := db.Pool
	next := int64(number(t, pool, "SELECT value FROM rollcall.ledger WHERE name = 'partition'")) + 1
	exec(t, pool, fmt.Sprintf("SELECT rollcall.events_room(%d)", next))
	for _, first := range []int64{1 << 32, next << 48} {
		addRows(t, pool, first, 1000)
		old, err := pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = old.Rollback(context.WithoutCancel(t.Context())) }) // a no-op after the Rollback below
		do(t, old, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
		do(t, old, "SELECT count(*) FROM rollcall.events")
		exec(t, pool, "CREATE TABLE was AS SELECT id, ctid::text AS place FROM rollcall.events")
		exec(t, pool, "UPDATE rollcall.events SET status = 'finish', queued_at = 1, started_at = 1, finished_at = 1, ran_by = 1")
		moved := number(t, pool, `SELECT count(*) FROM rollcall.events e JOIN was USING (id)
			WHERE split_part(e.ctid::text, ',', 1) <> split_part(was.place, ',', 1)`)
		if moved > 100 {
			t.Errorf("%d of 1000 rows from %d on have left their page", moved, first)
		}
		if err := old.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		exec(t, pool, "TRUNCATE rollcall.events")
		exec(t, pool, "DROP TABLE was")
	}
}

func addRows(t *testing.T, pool *pgxpool.Pool, first int64, n int) {
	t.Helper()
	params := `{"name":"` + strings.Repeat("x", 200) + `"}`
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = []any{first + int64(i), i + 2, fmt.Sprintf("key:%d", i), "enqueue", params, int64(i + 1)}
	}
	_, err := pool.CopyFrom(t.Context(), pgx.Identifier{"rollcall", "events"},
		[]string{"id", "row", "key", "status", "params", "key_hash"}, pgx.CopyFromRows(rows))
	if err != nil {
		t.Fatal(err)
	}
}

func exec(t *testing.T, pool *pgxpool.Pool, text string) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func do(t *testing.T, tx pgx.Tx, text string) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func number(t *testing.T, pool *pgxpool.Pool, text string) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), text).Scan(&n); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}
