package events

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// State is where an event stands, as far as running it is concerned.
type State struct {
	ID      ID
	TaskID  string
	Status  Status
	Attempt int

	// Canceling tells that the task is being canceled: a job that does not run
	// yet must not begin.
	Canceling bool
}

//go:embed sql/states.sql
var statesSQL string

// States asks the ledger where jobs stand: those that may have run before, and
// those whose move was refused. Unknown ids are left out.
func (s *Store) States(ctx context.Context, ids []ID) (map[ID]State, error) {
	var rows []State
	err := s.db.Read.WithContext(ctx).Raw(statesSQL, map[string]any{"ids": ids}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("events: states: %w", err)
	}
	out := make(map[ID]State, len(rows))
	for _, r := range rows {
		out[r.ID] = r
	}
	return out, nil
}

//go:embed sql/pending.sql
var pendingSQL string

// Page bounds what is read at once: rows, and bytes of their params.
type Page struct {
	Rows  int
	Bytes int
}

// errFull ends a query early.
var errFull = errors.New("page is full")

// Pending returns events of a task that are not at rest, above seq after and
// up to seq last, in file order: what a feeder pushes next. full tells that
// the page ended before the range did.
//
// The range is read in slices, which are enlarged where most is at rest: of a
// range that is much longer than the page, Postgres might read and sort all.
func (s *Store) Pending(ctx context.Context, num, after, last int64, p Page) (out []Event, full bool, err error) {
	r := pendingReader{num: num, page: p}
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		r.out, r.bytes = nil, 0
		for low, size := after, int64(p.Rows); low < last && len(r.out) < p.Rows; size *= 2 {
			high := min(low+size, last)
			if err := r.read(ctx, tx, low, high); err != nil {
				return err
			}
			low = high
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFull) {
		return nil, false, fmt.Errorf("events: pending of task %d: %w", num, err)
	}
	return r.out, err != nil || len(r.out) == p.Rows, nil
}

// pendingReader gathers a page.
type pendingReader struct {
	num   int64
	page  Page
	bytes int
	out   []Event
}

// read adds what is pending above seq low up to seq high, or ends with errFull.
func (r *pendingReader) read(ctx context.Context, tx ledger.Tx, low, high int64) error {
	return tx.Query(ctx, pendingSQL, ledger.Args{
		"low": int64(NewID(r.num, low)), "high": int64(NewID(r.num, high)),
		"most": r.page.Rows - len(r.out),
	}, func(scan ledger.Scan) error {
		if r.bytes >= r.page.Bytes {
			return errFull
		}
		var e Event
		err := scan(&e.ID, &e.Row, &e.Key, &e.Attempt, &e.NextRunAt, &e.Params)
		r.bytes += len(e.Params)
		r.out = append(r.out, e)
		return err
	})
}
