package decisions

import (
	"context"
	_ "embed"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/erase_hold.sql
	eraseHoldSQL string
	//go:embed sql/erase_read.sql
	eraseReadSQL string
)

// holdDone locks a task, and returns its lane. It returns events.ErrClosed if the task is not done, was
// purged, or does not exist. The result `closed` reports whether users can no longer decide about rows of
// the task.
func holdDone(ctx context.Context, tx ledger.Tx, num int64) (lane events.Lane, closed bool, err error) {
	held, err := ledger.Row(ctx, tx, eraseHoldSQL, ledger.Args{"num": num}, &lane.Tenant, &lane.Kind, &closed)
	if err == nil && !held {
		err = events.ErrClosed
	}
	return lane, closed, err
}

// readFull returns a row of a task that holdDone has locked. It returns nil if the contents of the
// row were deleted, or if the row does not exist.
func readFull(ctx context.Context, tx ledger.Tx, id events.ID) (e *events.Event, err error) {
	err = tx.Query(ctx, eraseReadSQL, ledger.Args{"ids": []int64{int64(id)}}, func(scan ledger.Scan) error {
		e = &events.Event{}
		return scan(&e.ID, &e.Row, &e.Key, &e.Status, &e.Attempt, &e.Code, &e.Col, &e.Fields, &e.Print,
			&e.Resolution, &e.Messages)
	})
	return e, err
}

// replaceRow makes the next row of a key count in place of the row `gone`, whose contents will be deleted.
// It returns the decisions about the rows that have changed.
func (s *Store) replaceRow(ctx context.Context, tx ledger.Tx, x Erasure, lane events.Lane, gone decided) ([]decided, error) {
	r := Review{Num: x.ID.Num(), By: x.By, Keys: x.Keys, Hashed: x.Hashed}
	list, err := withHeirs(ctx, tx, r, lane, []decided{gone})
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(d decided) bool { return d.ID == gone.ID })
	if list, err = write(ctx, tx, list); err != nil {
		return nil, err
	}
	return list, s.writeAudit(ctx, tx, r, list)
}

// heldHash returns the hash of lane and key that a row keeps after the deletion of its contents. It returns
// 0 unless the row has run and finished.
func heldHash(e *events.Event, lane events.Lane) int64 {
	if e.Status != events.Finish || e.Code != nil {
		return 0
	}
	return lane.Hash(e.Key)
}
