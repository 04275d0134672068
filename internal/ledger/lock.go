package ledger

import (
	"context"
	"time"
)

// leastConns is the least size of a pool: one connection holds the lock while another migrates.
const leastConns = 2

// lockPoll is how often a process tries to get a lock that another one holds.
const lockPoll = 100 * time.Millisecond

const lockSQL = "SELECT pg_try_advisory_xact_lock(hashtextextended(@name, 0))"

// awaitLock gets a lock of Postgres for the rest of a transaction. It tries again and again: a
// statement that waited would hold up CREATE INDEX CONCURRENTLY of the process that has the lock.
func awaitLock(ctx context.Context, tx Tx, name string) error {
	for {
		var got bool
		if _, err := Row(ctx, tx, lockSQL, Args{"name": name}, &got); err != nil || got {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}
