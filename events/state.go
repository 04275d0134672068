package events

import (
	"context"
	"fmt"
)

// State is where an event stands, as far as running it is concerned.
type State struct {
	ID      ID
	Status  Status
	Attempt int
}

// TableName is where gorm finds states.
func (State) TableName() string { return "events" }

// States asks the ledger where jobs stand: those that may have run before, and
// those whose move was refused. Unknown ids are left out.
func (s *Store) States(ctx context.Context, ids []ID) (map[ID]State, error) {
	var rows []State
	if err := s.db.Read.WithContext(ctx).Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("events: states: %w", err)
	}
	out := make(map[ID]State, len(rows))
	for _, r := range rows {
		out[r.ID] = r
	}
	return out, nil
}

// Pending returns up to limit events of a task that are not at rest, above
// seq after and up to seq last, in file order: what a feeder pushes next.
func (s *Store) Pending(ctx context.Context, num, after, last int64, limit int) ([]Event, error) {
	var out []Event
	err := s.db.Read.WithContext(ctx).
		Select("id", "row", "key", "status", "attempt", "params").
		Where("id > ? AND id <= ?", NewID(num, after), NewID(num, last)).
		Where("status IN ('enqueue', 'working')").
		Order("id").Limit(limit).Find(&out).Error
	if err != nil {
		return nil, fmt.Errorf("events: pending of task %d: %w", num, err)
	}
	return out, nil
}
