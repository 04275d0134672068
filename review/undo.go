package review

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Undo takes back the edits of one press.
type Undo struct {
	By     string
	Press  audit.Press // as the audit has it; its rows are those of t
	Audit  *audit.Log  // where it is read
	DryRun bool        // only count
}

// Undo writes the cells that a press of Repair has changed back into the rows, a
// bounded number at a time, each in one transaction, from the last to the first.
// What was changed since stays, by whomever it was: rows that have other texts in
// these cells, were skipped, or ran; Outcome.Moved counts them. It is an edit of
// many rows itself: undone in turn, it has the rows as they were before it. Called
// again after an error, it goes on.
func (d *Desk) Undo(ctx context.Context, t *tasks.Task, u Undo) (Outcome, error) {
	var out Outcome
	j, err := d.judgeOf(t, u.DryRun)
	if err != nil {
		return out, err
	}
	p := Press{Act: Repair, By: u.By, DryRun: u.DryRun, id: rand.Text(), lenient: true}
	for before := u.Press.Last + 1; ; {
		list, err := u.Audit.List(ctx, audit.Task(t.Num), before, pageSize)
		if err != nil {
			return out, fmt.Errorf("review: undo: %w", err)
		}
		edits, first := u.among(list)
		if err := d.takeBack(ctx, t, j, &p, edits, &out); err != nil {
			return out, err
		}
		if first || len(list) < pageSize {
			return out, nil
		}
		before = list[len(list)-1].Num
	}
}

// pressEdit is an edit of a row in the audit.
type pressEdit struct {
	seq           int64
	at            int64 // unix ms
	Before, After Cells
}

// among are the edits of the press among entries of the audit; first tells that its
// first one is there.
func (u *Undo) among(list []audit.Entry) (out []pressEdit, first bool) {
	for i := range list {
		e, d := &list[i], &list[i].Detail
		if d.Press == nil || d.Press.ID != u.Press.ID || e.Actor != u.By {
			continue
		}
		out = append(out, pressEdit{e.Seq, e.At, d.Before, d.After})
		first = first || d.Press.N == 1
	}
	return out, first
}

func (d *Desk) takeBack(
	ctx context.Context, t *tasks.Task, j *Judge, p *Press, edits []pressEdit, out *Outcome,
) error {
	rows, err := d.rowsOf(ctx, t, edits)
	if err != nil {
		return err
	}
	var trials []Trial
	for i := range edits {
		if e := rows[edits[i].seq]; e != nil {
			if cells, ok := edits[i].back(e); ok {
				trials = append(trials, Trial{Event: e, Cells: cells})
				continue
			}
		}
		out.Moved++ // or the column came with the edit: see Press.lenient
	}
	_, err = d.settle(ctx, t, j, p, trials, out)
	return err
}

// rowsOf are the rows of edits that are bad still, by seq.
func (d *Desk) rowsOf(ctx context.Context, t *tasks.Task, edits []pressEdit) (map[int64]*events.Event, error) {
	out := map[int64]*events.Event{}
	if len(edits) == 0 {
		return out, nil
	}
	seqs := make([]int64, len(edits))
	for i := range edits {
		seqs[i] = edits[i].seq
	}
	list, err := d.events.Bad(ctx, t.Num, events.Filter{Seqs: seqs, Limit: len(seqs)})
	for i := range list {
		out[list[i].ID.Seq()] = &list[i]
	}
	return out, err
}

// back are the cells as they were before the edit; false, if the row is not as the
// edit has left it, nor as it was before.
func (b *pressEdit) back(e *events.Event) (Cells, bool) {
	ran := e.FinishedAt != nil && *e.FinishedAt > b.at ||
		e.Resolution != nil && *e.Resolution == events.Resubmitted
	cells, err := readCells(e.Params)
	if err != nil || ran || e.State() == events.Skipped {
		return nil, false
	}
	edited, before := true, true
	for name, after := range b.After {
		text := filled(textOf(cells, name))
		edited = edited && same(text, after)
		before = before && same(text, b.Before[name])
	}
	return b.Before, edited || before
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
