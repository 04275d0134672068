package events

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/housed.sql
var housedSQL string

// roomEvery is how long Housed trusts its last look: fewer tasks than a block holds are added
// meanwhile. roomTimeout is the longest time that it waits for a second connection.
const (
	roomEvery   = 5 * time.Second
	roomTimeout = 10 * time.Second
)

// Housed makes sure that there are partitions for the jobs of the next tasks, of which a
// transaction is about to add some. It looks through tx: transactions that hold all connections
// of the pool would else wait for each other.
func (s *Store) Housed(ctx context.Context, tx ledger.Tx) error {
	now := s.now().UnixMilli()
	if s.db.Pool == nil || now-s.housed.Load() < roomEvery.Milliseconds() {
		return nil
	}
	var next int64
	var there bool
	_, err := ledger.Row(ctx, tx, housedSQL, nil, &next, &there)
	if err == nil && !there {
		ctx, cancel := context.WithTimeout(ctx, roomTimeout)
		defer cancel()
		if _, err = s.Room(ctx, next); err == nil {
			_, err = s.Room(ctx, next+1<<blockBits)
		}
	}
	if err != nil {
		return fmt.Errorf("events: room for task %d: %w", next, err)
	}
	s.housed.Store(now)
	return nil
}

// RoomAhead is Housed outside of a transaction.
func (s *Store) RoomAhead(ctx context.Context) error { return s.Housed(ctx, s.db.Reader()) }

// RoomNext is Housed outside of a transaction, for which a partition was missing: it looks in any
// case.
func (s *Store) RoomNext(ctx context.Context) error {
	s.housed.Store(0)
	return s.Housed(ctx, s.db.Reader())
}
