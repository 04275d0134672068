package ledgers

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// faultWait bounds how long Strike waits for statements to interrupt.
const faultWait = time.Minute

// waiting is the end of a statement that calls a function for each backend that waits for the lock of a
// table. It reads pg_locks, because in a transaction pg_stat_activity would not show later connections.
const waiting = "(pid) from pg_locks where not granted and relation = cast($1 as regclass)"

// Strike locks a table of a ledger on Postgres, and calls `run` on another goroutine. It then interrupts
// each backend that waits for the lock, with the server function `function`: "pg_terminate_backend" or
// "pg_cancel_backend". The function `run` must call its argument `done` after enough failures. Strike
// then unlocks the table.
func Strike(t T, url, table, function string, run func(done func())) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), faultWait)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatalf("ledgers: %v", err)
	}
	defer conn.Close(context.Background())
	must := func(text string, args ...any) {
		if _, err := conn.Exec(ctx, text, args...); err != nil {
			t.Fatalf("ledgers: %s: %v", text, err)
		}
	}
	must("begin")
	must("lock table " + pgx.Identifier{ledger.DefaultSchema, table}.Sanitize() + " in access exclusive mode")
	struck, finish := context.WithCancel(ctx)
	defer finish()
	go run(finish)
	for struck.Err() == nil {
		must("select "+pgx.Identifier{function}.Sanitize()+waiting, ledger.DefaultSchema+"."+table)
	}
	must("rollback")
}
