package review

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// MaxSeqs is the most rows that a press may name one by one.
const MaxSeqs = 1000

// Act is what a press does to each row.
type Act string

// The acts.
const (
	Repair   Act = "repair"   // edit; the rows do not run
	Skip     Act = "skip"     // leave them as they are
	Reopen   Act = "open"     // skip no more
	Resubmit Act = "resubmit" // edit, if asked for, and run once more
)

// Replace is a text that is to be replaced in the cells of a column.
type Replace struct {
	Column string `json:"column"`
	Find   string `json:"find"`  // must not be empty, but for the whole cell
	With   string `json:"with"`  //
	Whole  bool   `json:"whole"` // only cells that are Find; else each place of Find in a cell
}

// Press is one act on many rows. Rows that failed again after it began are left
// alone; those that are skipped too, unless they are named or asked for.
type Press struct {
	Act    Act
	By     string
	Note   string
	Filter events.Filter   // of bad rows; its page is not used
	Query  string          // a text that the row must hold: see Matcher
	Seqs   []int64         // instead of a filter; at most MaxSeqs
	Set    Cells           // texts for all rows
	Put    *Replace        //
	Detail json.RawMessage // what the audit says of the press; JSON, may be empty
	DryRun bool            // only count

	id string // names its edits in the audit, so that Undo finds them; empty: it has none
}

// maxSample is how many rows an Outcome shows.
const maxSample = 10

// Outcome counts what a press did or, as a dry run, would do.
type Outcome struct {
	Matched      int64    // rows that were looked at and are bad
	Changed      int64    // cells of theirs change
	Valid        int64    // without a known fault then
	StillInvalid int64    // with one; they do not run
	Done         int64    // rows that were decided about
	Resubmitted  int64    // of them, those that run again
	Moved        int64    // rows that something else changed at that moment
	Sample       []Sample // the first of them that change or stay wrong

	edited int64 // rows whose cells were changed
}

// Sample is one row of an outcome.
type Sample struct {
	Event         *events.Event
	Before, After map[string]*string
	Fault         *events.Failure // what is wrong then; nil if nothing is known
}

// Press goes through the rows in file order, a bounded number at a time, each in
// one transaction. Pressed again after an error it goes on where it was: what
// was decided is not decided again.
func (d *Desk) Press(ctx context.Context, t *tasks.Task, p Press) (Outcome, error) {
	var out Outcome
	j, err := d.judgeOf(ctx, t)
	if err != nil {
		return out, err
	}
	f := p.Filter
	f.EndedBy, f.Seqs, f.Limit = d.now().UnixMilli(), p.Seqs, pageSize
	match := Matcher(j.kind, p.Query)
	if p.Act == Repair {
		p.id = rand.Text()
	}
	for {
		page, err := d.events.Bad(ctx, t.Num, f)
		if err != nil {
			return out, err
		}
		if err := d.page(ctx, t, j, &p, keep(page, match), &out); err != nil {
			return out, err
		}
		if len(page) < pageSize {
			return out, nil
		}
		f.After = page[len(page)-1].ID.Seq()
	}
}

// pageSize is how many rows are decided about in one transaction.
const pageSize = 1000

func keep(page []events.Event, match func(*events.Event) bool) []*events.Event {
	var out []*events.Event
	for i := range page {
		if match(&page[i]) {
			out = append(out, &page[i])
		}
	}
	return out
}

func (d *Desk) page(
	ctx context.Context, t *tasks.Task, j *judge, p *Press, rows []*events.Event, out *Outcome,
) error {
	var list []events.Decision
	for _, e := range rows {
		if !p.wants(e) {
			continue
		}
		decision, do, err := j.press(e, p, out)
		if err != nil {
			return err
		}
		if do {
			list = append(list, decision)
		}
	}
	return d.do(ctx, t, p, list, out)
}

// do makes decisions, unless they are only to be counted.
func (d *Desk) do(ctx context.Context, t *tasks.Task, p *Press, list []events.Decision, out *Outcome) error {
	if p.DryRun || len(list) == 0 {
		return nil
	}
	made, err := d.events.Decide(ctx, events.Review{
		Num: t.Num, By: p.By, Detail: p.Detail, Rows: list, Press: p.id, Edited: out.edited,
	})
	if err != nil {
		return fmt.Errorf("review: %s: %w", p.Act, err)
	}
	for i := range made {
		if !made[i] {
			out.Moved++
			continue
		}
		out.Done++
		if list[i].Resolution == events.Resubmitted {
			out.Resubmitted++
		}
		if list[i].Edit != nil {
			out.edited++
		}
	}
	return nil
}

// wants tells whether the press is about a row.
func (p *Press) wants(e *events.Event) bool {
	skipped := e.State() == events.Skipped
	switch {
	case p.Act == Reopen:
		return skipped
	case p.Act == Skip:
		return !skipped
	}
	return !skipped || len(p.Seqs) > 0 || p.Filter.Resolution == events.Skipped
}

// press decides about one row; do is false if it stays as it is.
func (j *judge) press(e *events.Event, p *Press, out *Outcome) (d events.Decision, do bool, err error) {
	out.Matched++
	cells, err := p.cells(e, j)
	if err != nil {
		return d, false, err
	}
	patch := Patch{Cells: cells, Note: p.Note}
	switch p.Act {
	case Skip:
		patch.Resolution = events.Skipped
	case Reopen:
		patch.Resolution = events.Open
	}
	r, err := j.rule(e, patch.Cells)
	if err == nil {
		d, err = j.decide(e, patch)
	}
	if err != nil {
		return d, false, err
	}
	changed := len(r.after) > 0
	if !changed {
		d.Edit = nil
	}
	out.see(e, r)
	if p.Act == Resubmit && r.fault == nil {
		d.Resolution = events.Resubmitted
	}
	return d, changed || d.Resolution == events.Resubmitted || p.Act == Skip || p.Act == Reopen, nil
}

func (o *Outcome) see(e *events.Event, r ruling) {
	if len(r.after) > 0 {
		o.Changed++
	}
	if r.fault == nil {
		o.Valid++
	} else {
		o.StillInvalid++
	}
	if (len(r.after) > 0 || r.fault != nil) && len(o.Sample) < maxSample {
		o.Sample = append(o.Sample, Sample{e, r.before, r.after, r.fault})
	}
}

// cells are what the press writes into a row; nil if nothing. Texts that are not
// shown are not searched either: who may not read them would find them piece by piece.
func (p *Press) cells(e *events.Event, j *judge) (Cells, error) {
	if p.Put == nil {
		return p.Set, nil
	}
	unknown := Cells{p.Put.Column: nil} // is found to be wrong again
	if j.kind.Schema == nil {
		return unknown, nil
	}
	old, err := readCells(e.Params)
	if err != nil {
		return unknown, nil //nolint:nilerr // said above
	}
	name := j.name(old, p.Put.Column)
	if name == "" {
		return unknown, nil
	}
	was := textOf(old, name)
	if j.kind.ShowValue(name, was) != was {
		return nil, &ColumnError{p.Put.Column, "The texts of this column are not shown: set a whole new one."}
	}
	is := p.Put.replaced(was)
	if is == was {
		return nil, nil
	}
	return Cells{name: &is}, nil
}

// replaced is what becomes of a text.
func (r *Replace) replaced(text string) string {
	switch {
	case !r.Whole:
		return strings.ReplaceAll(text, r.Find, r.With)
	case text == r.Find:
		return r.With
	}
	return text
}
