package pending

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/held_rows.sql
var heldRowsSQL string

// HeldRows returns the rows among `ids` that a feeder must push: the rows that are not at rest. It leaves out
// resubmitted rows that wait for a push, since Pending or Resubmitted returns these. HeldRows reads the rows
// in ascending order of id, until the size of their params reaches `maxBytes`. The result `last` is the id of
// the row that reaches `maxBytes`, or the greatest possible id if no row does.
func (s *Store) HeldRows(ctx context.Context, ids []events.ID, maxBytes int) (out map[events.ID]Row, last events.ID, err error) {
	raw := make([]int64, len(ids))
	for i, id := range ids {
		raw[i] = int64(id)
	}
	var list []Row
	bytes := 0
	err = s.db.Reader().Query(ctx, heldRowsSQL, ledger.Args{"ids": raw}, func(scan ledger.Scan) error {
		var b Row
		err := scan(&b.ID, &b.Row, &b.Key, &b.Attempt, &b.NextRunAt, &b.Params, &b.Since)
		if err == nil && bytes >= maxBytes {
			return errFull
		}
		bytes += len(b.Params)
		list = append(list, b)
		return err
	})
	if err == nil || errors.Is(err, errFull) {
		err = events.RestoreParams(ctx, s.db.Reader(), list, (*Row).ref)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("pending: held rows: %w", err)
	}
	out, last = within(list, maxBytes)
	return out, last, nil
}

// within returns the first rows, until the size of their params reaches `maxBytes`. The result `last`
// is the id of the row that reaches `maxBytes`, or the greatest possible id if no row does.
func within(list []Row, maxBytes int) (out map[events.ID]Row, last events.ID) {
	out, last = map[events.ID]Row{}, math.MaxInt64
	bytes := 0
	for _, b := range list {
		out[b.ID] = b
		if bytes += len(b.Params); bytes >= maxBytes {
			return out, b.ID
		}
	}
	return out, last
}
