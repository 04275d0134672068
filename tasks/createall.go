package tasks

import (
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// CreateAll adds tasks as Create does, with two statements for all of them. None of them may
// have a parent or a DedupKey. After an error the transaction must
// be rolled back.
func (s *Store) CreateAll(tx ledger.Gorm, list []*Task, keep time.Duration) error {
	now := s.now()
	for _, t := range list {
		t.begin(now, keep)
	}
	if err := tx.Create(&list).Error; err != nil {
		return fmt.Errorf("tasks: create %d: %w", len(list), err)
	}
	nums := make([]int64, len(list))
	for i, t := range list {
		nums[i] = t.Num
	}
	if err := addFeeds(tx, now, nums...); err != nil {
		return fmt.Errorf("tasks: create %d: feeds: %w", len(list), err)
	}
	return nil
}
