package partitions

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/housed.sql
var housedSQL string

// roomEvery is how long EnsureIn relies on its last check. In this time fewer tasks are added than a
// block holds. roomTimeout is the longest time that it waits for a second connection.
const (
	roomEvery   = 5 * time.Second
	roomTimeout = 10 * time.Second
)

// EnsureIn ensures that there are partitions for the jobs of the next tasks. The transaction tx is
// about to add some of them. EnsureIn reads through tx, since transactions that hold all connections
// of the pool would otherwise deadlock.
func (s *Store) EnsureIn(ctx context.Context, tx ledger.Tx) error {
	now := s.now().UnixMilli()
	if s.db.Pool == nil || now-s.checked.Load() < roomEvery.Milliseconds() {
		return nil
	}
	var next int64
	var there bool
	_, err := ledger.Row(ctx, tx, housedSQL, nil, &next, &there)
	if err == nil && !there {
		ctx, cancel := context.WithTimeout(ctx, roomTimeout)
		defer cancel()
		if _, err = s.Ensure(ctx, next); err == nil {
			_, err = s.Ensure(ctx, next+1<<blockBits)
		}
	}
	if err != nil {
		return fmt.Errorf("partitions: room for task %d: %w", next, err)
	}
	s.checked.Store(now)
	return nil
}

// EnsureAhead is like EnsureIn without a transaction.
func (s *Store) EnsureAhead(ctx context.Context) error { return s.EnsureIn(ctx, s.db.Reader()) }

// EnsureNext is like EnsureIn after a transaction that lacked a partition: it checks in any case.
func (s *Store) EnsureNext(ctx context.Context) error {
	s.checked.Store(0)
	return s.EnsureIn(ctx, s.db.Reader())
}
