package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/key_before.sql
	keyBeforeSQL string
	//go:embed sql/key_behind.sql
	keyBehindSQL string
)

// KeyRow is a row of a key with its task.
type KeyRow struct {
	ID         ID
	TaskID     string
	TaskName   string
	Row        int // of the file
	Status     Status
	Attempt    int
	FinishedAt int64 // unix ms; 0: it is not at rest
}

// Newest is an id above those of all rows.
const Newest ID = 1<<63 - 1

// KeyBefore returns up to most rows of a lane with a key and an id below one, newest first. A row
// without a key has none.
func (s *Store) KeyBefore(ctx context.Context, lane Lane, key string, id ID, most int) ([]KeyRow, error) {
	return s.sameKey(ctx, keyBeforeSQL, ledger.Args{"hash": lane.Hash(key), "key": key, "id": int64(id), "most": most})
}

// KeyBehind returns up to most rows of a lane with a key and an id above one, oldest first. A row
// without a key has none.
func (s *Store) KeyBehind(ctx context.Context, lane Lane, key string, id ID, most int) ([]KeyRow, error) {
	return s.sameKey(ctx, keyBehindSQL, ledger.Args{"hash": lane.Hash(key), "key": key, "id": int64(id), "most": most})
}

func (s *Store) sameKey(ctx context.Context, text string, args ledger.Args) ([]KeyRow, error) {
	out, err := ledger.List(ctx, s.db.Reader(), text, args, func(scan ledger.Scan, r *KeyRow) error {
		return scan(&r.ID, &r.TaskID, &r.TaskName, &r.Row, &r.Status, &r.Attempt, &r.FinishedAt)
	})
	if err != nil {
		return nil, fmt.Errorf("events: rows of a key: %w", err)
	}
	return out, nil
}
