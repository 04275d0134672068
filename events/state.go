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
	Row     int // of the file
	Status  Status
	Attempt int

	// Spared is how many of the attempts are no retries: those before the last
	// resubmission.
	Spared int

	// Back reports that the row waits to be fed once more: Redis does not have it.
	Back bool

	// Canceling tells that the task is being canceled: a job that does not run
	// yet must not begin.
	Canceling bool

	// Resubmitted reports that a person resubmitted the row, or that its job was lost: see
	// NoteStray. Then Key and Params are those of the row, which may have been edited. Both
	// are empty for other rows.
	Resubmitted bool
	Key         string
	Params      string

	// QueuedAt, StartedAt and Runner are those of the last attempt; zero if unknown.
	QueuedAt  int64
	StartedAt int64
	Runner    `gorm:"embedded"`

	// Newer is the first newer row of its lane and key that has finished, if the
	// row must not run because of that: it is superseded. 0: it may run.
	Newer ID
}

//go:embed sql/states.sql
var statesSQL string

// States asks the ledger where jobs stand: those that may have run before, and
// those whose move was refused. Unknown ids are left out.
func (s *Store) States(ctx context.Context, ids []ID) (map[ID]State, error) {
	var rows []State
	err := s.db.Read.WithContext(ctx).Raw(ledger.Plain(statesSQL), map[string]any{"ids": ids}).Scan(&rows).Error
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

// Pending returns events that are not at rest, of ranges one after another and
// in file order: what a feeder pushes next; of rows that were
// resubmitted, those that wait and that the range asks for. read tells up to which seq each
// range was gone through; it is shorter than ranges where the page was full
// before a range was begun.
//
// A range is read in slices, which are enlarged where most is at rest: of a
// range that is much longer than the page, Postgres might read and sort all.
func (s *Store) Pending(ctx context.Context, ranges []Range, p Page) (out []Back, read []int64, err error) {
	r := pendingReader{page: p}
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		r.out, r.seqs, r.bytes = nil, nil, 0
		for _, one := range ranges {
			if r.full() {
				break
			}
			if err := r.read(ctx, tx, one); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("events: pending: %w", err)
	}
	return r.out, r.seqs, nil
}

// pendingReader gathers a page.
type pendingReader struct {
	page  Page
	bytes int
	out   []Back
	seqs  []int64
}

func (r *pendingReader) full() bool {
	return len(r.out) >= r.page.Rows || r.bytes >= r.page.Bytes
}

// read adds what is pending in a range, until the page is full.
func (r *pendingReader) read(ctx context.Context, tx ledger.Tx, g Range) error {
	at := g.After
	for size := int64(r.page.Rows); at < g.Last && !r.full(); size *= 2 {
		slice := Range{Num: g.Num, After: at, Last: min(at+size, g.Last), Back: g.Back}
		at = slice.Last
		err := r.slice(ctx, tx, slice)
		if err != nil && !errors.Is(err, errFull) {
			return err
		}
		if r.full() { // there may be more behind the last row
			at = r.out[len(r.out)-1].ID.Seq()
		}
	}
	r.seqs = append(r.seqs, at)
	return nil
}

func (r *pendingReader) slice(ctx context.Context, tx ledger.Tx, g Range) error {
	args := g.args()
	args["most"], args["back"] = r.page.Rows-len(r.out), 0
	if g.Back {
		args["back"] = 1
	}
	return tx.Query(ctx, pendingSQL, args, func(scan ledger.Scan) error {
		if r.bytes >= r.page.Bytes {
			return errFull
		}
		var e Back
		err := scan(&e.ID, &e.Row, &e.Key, &e.Attempt, &e.NextRunAt, &e.Params, &e.Since)
		r.bytes += len(e.Params)
		r.out = append(r.out, e)
		return err
	})
}
