package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/back.sql
var backSQL string

// Back is a row that waits to be fed; one that was resubmitted does so whatever the
// position of its feed.
type Back struct {
	Event
	Since int  // its attempt when it was resubmitted; -1: it was not
	Gone  bool // it need not be fed: a copy that Redis had still has run
}

// Back returns the next resubmitted rows of a task that wait, up to seq last and in
// file order.
func (s *Store) Back(ctx context.Context, num, last int64, most int) (out []Back, err error) {
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		out = nil
		return tx.Query(ctx, backSQL, ledger.Args{
			"num": num, "low": int64(NewID(num, 0)), "last": last, "most": most,
		}, func(scan ledger.Scan) error {
			var b Back
			err := scan(&b.ID, &b.Row, &b.Key, &b.Attempt, &b.NextRunAt, &b.Params, &b.Gone, &b.Since)
			out = append(out, b)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("events: resubmitted rows of task %d: %w", num, err)
	}
	return out, nil
}
