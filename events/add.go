package events

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// AddOnly adds the only job of a task that is created in the same transaction
// with counts that tell of it. at is when it may run, in unix milliseconds; 0
// means at once.
func (s *Store) AddOnly(tx ledger.Gorm, num int64, d Draft, at int64) error {
	e := Event{
		ID: NewID(num, 1), Row: 1, Key: d.Key, Status: Enqueue, Params: string(d.Params),
		NextRunAt: unix(at), Version: 1,
	}
	if err := tx.Create(&e).Error; err != nil {
		return fmt.Errorf("events: add to task %d: %w", num, err)
	}
	return nil
}
