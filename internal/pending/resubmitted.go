package pending

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/back.sql
	backSQL string
	//go:embed sql/fresh.sql
	freshSQL string
)

// Row is a row that waits to be fed. A resubmitted row may come before the position that the feeder has
// reached in the task.
type Row struct {
	events.Event
	Since int  // attempt of the row when it was resubmitted; -1 if it was not
	Gone  bool // the row need not be fed, because a copy in Redis has run
}

// Resubmitted returns the first resubmitted rows of a task that wait, in file order: up to `limit`
// rows, with seqs up to `last`.
func (s *Store) Resubmitted(ctx context.Context, num, last int64, limit int) (out []Row, err error) {
	out, err = ledger.List(ctx, s.db.Reader(), backSQL, ledger.Args{
		"num": num, "low": int64(events.NewID(num, 0)), "last": last, "most": limit,
	}, func(scan ledger.Scan, b *Row) error {
		return scan(&b.ID, &b.Row, &b.Key, &b.Attempt, &b.NextRunAt, &b.Params, &b.Gone, &b.Since)
	})
	if err == nil {
		err = events.RestoreParams(ctx, s.db.Reader(), out, (*Row).ref)
	}
	if err != nil {
		return nil, fmt.Errorf("pending: resubmitted rows of task %d: %w", num, err)
	}
	return out, nil
}

// Fresh returns the rows among `ids` that wait, and have not started since they were added or resubmitted.
// The caller passes at most 10,000 ids.
func (s *Store) Fresh(ctx context.Context, ids []events.ID) (out []events.ID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = s.db.Read.WithContext(ctx).Raw(ledger.Plain(freshSQL), map[string]any{"ids": ids}).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("pending: fresh rows: %w", err)
	}
	return out, nil
}

// ref returns the id and a pointer to the params of the row, for events.RestoreParams.
func (b *Row) ref() (events.ID, *string) { return b.ID, &b.Params }
