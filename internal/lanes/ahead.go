package lanes

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/ahead.sql
var aheadSQL string

//go:embed sql/first_ahead.sql
var firstAheadSQL string

// TaskAhead is a task that is fed before another task of the same tenant and kind.
type TaskAhead struct {
	TaskID, Name string
	Unread       bool // its file is still being read, and none of the rows read so far waits to be fed
}

// FirstAhead returns the first of the tasks that are fed before the task of the feed `f`. It returns nil
// if there are none, or if `f` has no lane yet.
func (s *Store) FirstAhead(ctx context.Context, f Feed) (*TaskAhead, error) {
	if f.Lane == 0 {
		return nil, nil
	}
	var first TaskAhead
	found := false
	err := s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		args := ledger.Args{"lane": f.Lane, "rank": f.Rank, "num": f.Num}
		found, err = ledger.Row(ctx, tx, firstAheadSQL, args, &first.TaskID, &first.Name, &first.Unread)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: first ahead of task %d: %w", f.Num, err)
	}
	if !found {
		return nil, nil
	}
	return &first, nil
}

// aheadTasks is the greatest number of tasks whose rows Ahead counts.
const aheadTasks = 10_000

// Ahead returns the number of rows that were not pushed yet, of the tasks that are fed before the task
// of the feed `f`. It counts only the rows of the first 10,000 of these tasks.
func (s *Store) Ahead(ctx context.Context, f Feed) (rows int64, err error) {
	args := ledger.Args{"lane": f.Lane, "rank": f.Rank, "num": f.Num, "most": aheadTasks}
	if _, err = ledger.Row(ctx, s.db.Reader(), aheadSQL, args, &rows); err != nil {
		return 0, fmt.Errorf("lanes: rows ahead of task %d: %w", f.Num, err)
	}
	return rows, nil
}
