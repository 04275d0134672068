package pending

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/pending.sql
	pendingSQL string
	//go:embed sql/pending_few.sql
	pendingFewSQL string
)

// Page holds the limits of a read: of rows, and of the bytes of their params.
type Page struct {
	Rows  int
	Bytes int
}

// errFull ends a query when the page is full.
var errFull = errors.New("page is full")

// Pending returns the rows that a feeder pushes next: the rows of the given ranges that are not at rest.
// It reads the ranges one after another, each in file order. It leaves out resubmitted rows, except those
// that wait for a push in a range with Back. The result `read` holds the seq up to which each range was
// read. It has no entries for ranges that were not read because the page was full.
//
// Short ranges are read together. A longer range is read in slices, since Postgres might read and sort
// all of a range that is much longer than the page. Each further slice of a range is twice as long.
func (s *Store) Pending(ctx context.Context, ranges []events.Range, p Page) (out []Row, read []int64, err error) {
	r := pendingReader{page: p}
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		r.out, r.seqs, r.bytes = nil, nil, 0
		for rest := ranges; len(rest) > 0 && !r.full(); {
			n, err := r.next(ctx, tx, rest)
			if err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("pending: %w", err)
	}
	return r.out, r.seqs, nil
}

// pendingReader is a reader of the pending rows of one page.
type pendingReader struct {
	page  Page
	bytes int
	out   []Row
	seqs  []int64
}

func (r *pendingReader) full() bool {
	return len(r.out) >= r.page.Rows || r.bytes >= r.page.Bytes
}

// next adds the pending rows of the first ranges to the page, and returns the number of these ranges.
func (r *pendingReader) next(ctx context.Context, tx ledger.Tx, ranges []events.Range) (n int, err error) {
	if ids, n := few(ranges, r.page.Rows-len(r.out)); n > 1 {
		return n, r.readFew(ctx, tx, ranges[:n], ids)
	}
	return 1, r.read(ctx, tx, ranges[0])
}

// few returns the ids of the rows in the first ranges. Together these ranges have at most `room` rows,
// and they have ascending task numbers and the same Back. The result `n` is the number of these ranges.
func few(ranges []events.Range, room int) (ids []int64, n int) {
	for i, g := range ranges {
		if g.Last-g.After > int64(room-len(ids)) || i > 0 && (g.Num <= ranges[i-1].Num || g.Back != ranges[0].Back) {
			return ids, i
		}
		for seq := g.After + 1; seq <= g.Last; seq++ {
			ids = append(ids, int64(events.NewID(g.Num, seq)))
		}
	}
	return ids, len(ranges)
}

// readFew adds the pending rows of short ranges to the page with one query, until the page is full.
func (r *pendingReader) readFew(ctx context.Context, tx ledger.Tx, ranges []events.Range, ids []int64) error {
	r.out = slices.Grow(r.out, len(ids))
	if err := r.query(ctx, tx, pendingFewSQL, ranges[0].Back, ledger.Args{"ids": ids}); err != nil {
		return err
	}
	for _, g := range ranges {
		if r.full() && r.out[len(r.out)-1].ID.Num() == g.Num { // later ranges are not read
			r.seqs = append(r.seqs, r.out[len(r.out)-1].ID.Seq())
			return nil
		}
		r.seqs = append(r.seqs, g.Last)
	}
	return nil
}

// read adds the pending rows of a range, until the page is full.
func (r *pendingReader) read(ctx context.Context, tx ledger.Tx, g events.Range) error {
	at := g.After
	for size := int64(r.page.Rows); at < g.Last && !r.full(); size *= 2 {
		slice := events.Range{Num: g.Num, After: at, Last: min(at+size, g.Last), Back: g.Back}
		at = slice.Last
		if err := r.slice(ctx, tx, slice); err != nil {
			return err
		}
		if r.full() { // there may be more rows after the last one
			at = r.out[len(r.out)-1].ID.Seq()
		}
	}
	r.seqs = append(r.seqs, at)
	return nil
}

func (r *pendingReader) slice(ctx context.Context, tx ledger.Tx, g events.Range) error {
	args := g.Args()
	most := r.page.Rows - len(r.out)
	args["most"] = most
	r.out = slices.Grow(r.out, min(most, int(g.Last-g.After)))
	return r.query(ctx, tx, pendingSQL, g.Back, args)
}

func (r *pendingReader) query(ctx context.Context, tx ledger.Tx, text string, back bool, args ledger.Args) error {
	args["back"] = 0
	if back {
		args["back"] = 1
	}
	before, bytes := len(r.out), r.bytes
	err := tx.Query(ctx, text, args, func(scan ledger.Scan) error {
		if bytes >= r.page.Bytes {
			return errFull
		}
		r.out = append(r.out, Row{})
		e := &r.out[len(r.out)-1]
		err := scan(&e.ID, &e.Row, &e.Key, &e.Attempt, &e.NextRunAt, &e.Params, &e.Since)
		bytes += len(e.Params)
		return err
	})
	if err == nil || errors.Is(err, errFull) {
		err = events.RestoreParams(ctx, tx, r.out[before:], (*Row).ref)
	}
	r.count(before)
	return err
}

// count adds the bytes of the rows from the index `from` on, and drops the rows that exceed the
// page.
func (r *pendingReader) count(from int) {
	for i := from; i < len(r.out); i++ {
		if r.bytes >= r.page.Bytes {
			r.out = r.out[:i]
			return
		}
		r.bytes += len(r.out[i].Params)
	}
}
