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

// Only is the only job of a task.
type Only struct {
	Num  int64 // of the task
	Lane Lane  // the zero value for an unordered kind
	Row  Draft
	At   int64 // earliest time to run, in unix ms; 0 is now
}

// AddOnly adds the only jobs of tasks that the same transaction creates, and that count them
// already.
func (s *Store) AddOnly(tx ledger.Gorm, jobs ...Only) error {
	list := make([]Event, len(jobs))
	for i, j := range jobs {
		if err := s.house(tx, j.Num); err != nil {
			return err
		}
		list[i] = Event{
			ID: NewID(j.Num, 1), Row: 1, Key: j.Row.Key, Status: Enqueue, Params: string(j.Row.Params),
			NextRunAt: unix(j.At), Version: 1, KeyHash: j.Lane.Hash(j.Row.Key),
		}
	}
	if err := tx.Create(&list).Error; err != nil {
		return fmt.Errorf("events: add %d single jobs: %w", len(jobs), err)
	}
	return nil
}

// roomTimeout is the longest time that a transaction waits for a second connection.
const roomTimeout = 10 * time.Second

// house makes sure that there is a partition for the task with number num. It
// remembers the last block, so that it asks once per block. It asks through tx: transactions
// that hold all connections of the pool would else wait for each other.
func (s *Store) house(tx ledger.Gorm, num int64) error {
	block := num>>blockBits + 1 // 0 is none
	if s.db.Pool == nil || s.housed.Load() == block {
		return nil
	}
	var there bool
	err := tx.Raw(ledger.Plain(housedSQL), map[string]any{"name": fmt.Sprintf("events_b%d", num>>blockBits)}).Scan(&there).Error
	if err == nil && !there {
		ctx, cancel := context.WithTimeout(tx.Statement.Context, roomTimeout)
		defer cancel()
		_, err = s.Room(ctx, num)
	}
	if err != nil {
		return fmt.Errorf("events: room for task %d: %w", num, err)
	}
	s.housed.Store(block)
	return nil
}
