package events

import (
	"context"
	"fmt"
)

// Some returns the events with these seqs of the task with number num, in file
// order; a seq that it does not have is left out. Ask for at most 1,000.
func (s *Store) Some(ctx context.Context, num int64, seqs []int64) ([]Event, error) {
	ids := make([]int64, len(seqs))
	for i, seq := range seqs {
		ids[i] = int64(NewID(num, seq))
	}
	out, err := s.find(ctx, s.db.Read.WithContext(ctx).Where("id IN ?", ids).Order("id"))
	if err != nil {
		return nil, fmt.Errorf("events: some of task %d: %w", num, err)
	}
	return out, nil
}
