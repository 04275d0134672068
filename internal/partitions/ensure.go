package partitions

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/partitions_exist.sql
var partitionsExistSQL string

// roomEvery is how long EnsureIn relies on its last check. In this time fewer tasks are added than a
// partition holds. roomTimeout bounds the creation of partitions in EnsureIn, which may have to wait for
// a second connection.
const (
	roomEvery   = 5 * time.Second
	roomTimeout = 10 * time.Second
)

// EnsureIn ensures that partitions exist for the events of the next tasks. Call it before tx adds such
// tasks. It is a no-op on SQLite, and within 5 seconds of the last check.
//
// EnsureIn reads through tx: if transactions held all connections of the pool, a read on another
// connection would deadlock.
func (s *Store) EnsureIn(ctx context.Context, tx ledger.Tx) error {
	now := s.now().UnixMilli()
	if s.db.Pool == nil || now-s.checked.Load() < roomEvery.Milliseconds() {
		return nil
	}
	var next int64
	var there bool
	_, err := ledger.Row(ctx, tx, partitionsExistSQL, nil, &next, &there)
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

// EnsureAhead works like EnsureIn, for a caller without a transaction.
func (s *Store) EnsureAhead(ctx context.Context) error { return s.EnsureIn(ctx, s.db.Reader()) }

// Retry calls add, which adds rows in a transaction. If the partition of the rows does not exist, Retry
// creates it and calls add once more. It returns the error of the last call of add, or the error of
// creating the partition.
func (s *Store) Retry(ctx context.Context, add func() error) error {
	err := add()
	if !ledger.NoPartition(err) {
		return err
	}
	if err = s.EnsureNext(ctx); err != nil {
		return err
	}
	return add()
}

// EnsureNext works like EnsureAhead, but checks even if the last check is recent. Call it after a
// transaction has failed because a partition was missing.
func (s *Store) EnsureNext(ctx context.Context) error {
	s.checked.Store(0)
	return s.EnsureIn(ctx, s.db.Reader())
}
