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

// holdDone locks a task that is done. It returns its lane and whether its rows are closed
// for decisions.
func holdDone(ctx context.Context, tx ledger.Tx, num int64) (lane events.Lane, closed bool, err error) {
	held, err := ledger.Row(ctx, tx, eraseHoldSQL, ledger.Args{"num": num}, &lane.Tenant, &lane.Kind, &closed)
	if err == nil && !held {
		err = events.ErrClosed
	}
	return lane, closed, err
}

// readFull returns a row at rest; nil if its contents were deleted.
func readFull(ctx context.Context, tx ledger.Tx, id events.ID) (e *events.Event, err error) {
	err = tx.Query(ctx, eraseReadSQL, ledger.Args{"ids": []int64{int64(id)}}, func(scan ledger.Scan) error {
		e = &events.Event{}
		return scan(&e.ID, &e.Row, &e.Key, &e.Status, &e.Attempt, &e.Code, &e.Col, &e.Fields, &e.Print,
			&e.Resolution, &e.Messages)
	})
	return e, err
}

// succeed makes the next row of the key replace a row whose contents will be deleted. It returns the
// changed rows: see withHeirs.
func (s *Store) succeed(ctx context.Context, tx ledger.Tx, x Erasure, lane events.Lane, gone decided) ([]decided, error) {
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

// heldHash returns the key hash that a row keeps after its contents are deleted, if it finished by
// running; 0 for other rows.
func heldHash(e *events.Event, lane events.Lane) int64 {
	if e.Status != events.Finish || e.Code != nil {
		return 0
	}
	return lane.Hash(e.Key)
}
