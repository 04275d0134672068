package ledgers

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// faultWait bounds how long Strike waits for a statement to strike.
const faultWait = time.Minute

// waiting are the backends of the database that wait for a lock.
const waiting = " from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

// Strike locks a table of a ledger on Postgres and has the server call a function,
// "pg_terminate_backend" or "pg_cancel_backend", for each backend that waits for the
// lock, until done is closed. Then it unlocks the table. run is called in between,
// on a goroutine of its own; it must close done once enough has failed.
func Strike(t T, url, table, function string, run func(done func())) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), faultWait)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatalf("ledgers: %v", err)
	}
	defer conn.Close(context.Background())
	must := func(text string) {
		if _, err := conn.Exec(ctx, text); err != nil {
			t.Fatalf("ledgers: %s: %v", text, err)
		}
	}
	must("begin")
	must("lock table " + pgx.Identifier{table}.Sanitize() + " in access exclusive mode")
	struck, finish := context.WithCancel(ctx)
	defer finish()
	go run(finish)
	for struck.Err() == nil {
		must("select " + pgx.Identifier{function}.Sanitize() + "(pid)" + waiting)
	}
	must("rollback")
}
