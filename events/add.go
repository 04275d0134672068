package events

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// AddOnly adds the only job of a task that is created in the same transaction
// with counts that tell of it, in the task's lane. at is when it may run, in unix milliseconds; 0
// means at once.
func (s *Store) AddOnly(tx ledger.Gorm, num int64, lane Lane, d Draft, at int64) error {
	if err := s.house(tx.Statement.Context, num); err != nil {
		return err
	}
	e := Event{
		ID: NewID(num, 1), Row: 1, Key: d.Key, Status: Enqueue, Params: string(d.Params),
		NextRunAt: unix(at), Version: 1, KeyHash: lane.Hash(d.Key),
	}
	if err := tx.Create(&e).Error; err != nil {
		return fmt.Errorf("events: add to task %d: %w", num, err)
	}
	return nil
}

// house makes sure that there is a partition for the task with number num. It
// remembers the last block, so that it asks once per block.
func (s *Store) house(ctx context.Context, num int64) error {
	block := num>>blockBits + 1 // 0 is none
	if s.db.Pool == nil || s.housed.Load() == block {
		return nil
	}
	_, err := s.Room(ctx, num)
	if err == nil {
		s.housed.Store(block)
	}
	return err
}
