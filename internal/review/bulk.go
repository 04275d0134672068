package review

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"

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
	TakeBack Act = "undo"     // restore what another act has changed: see Undo
)

// Replace is a text that is to be replaced in the cells of a column.
type Replace struct {
	Column string `json:"column"`
	Find   string `json:"find"`  // must not be empty, but for the whole cell
	With   string `json:"with"`  //
	Whole  bool   `json:"whole"` // only cells that are Find; else each place of Find in a cell
}

// Press is one act on many rows. Rows that failed again after it began are left
// alone; those that are skipped or superseded too, unless they are named or asked for.
// So are rows that are fixed if the act is Skip.
type Press struct {
	Act    Act
	By     string
	Note   string
	Filter events.Filter   // of bad rows and, for Resubmit, of rows that finished; its page is not used
	Query  string          // a text that the row must hold: see Matcher
	Seqs   []int64         // instead of a filter; at most MaxSeqs
	Set    Cells           // texts for all rows
	Put    *Replace        //
	Detail json.RawMessage // what the audit says of the press; JSON, may be empty
	DryRun bool            // only count
	Anyway bool            // rows run even if a newer row of their key has finished

	id      string             // of the act, for Undo
	lenient bool               // rows whose cells cannot be kept count as Moved
	undoes  *events.Act        // the act that is undone; nil: none
	heirs   map[events.ID]bool // rows that took over the key of a row of the act
}

// Press goes through the rows in file order, a bounded number at a time, each in
// one transaction. Pressed again after an error it goes on where it was: what
// was decided is not decided again.
func (d *Desk) Press(ctx context.Context, t *tasks.Task, p Press) (Outcome, error) {
	var out Outcome
	j, err := d.judgeOf(t, p.DryRun)
	if err != nil {
		return out, err
	}
	j.anyway = p.Anyway
	f := p.Filter
	f.Standing = p.leavesSuperseded()
	f.EndedBy, f.Seqs, f.Limit = d.now().UnixMilli(), p.Seqs, pageSize
	match := Matcher(j.kind, p.Query)
	p.id, p.heirs = rand.Text(), map[events.ID]bool{}
	for {
		page, err := p.read(d)(ctx, t.Num, f)
		if err != nil {
			return out, err
		}
		trials, err := p.trials(keep(page, match), j)
		if err == nil {
			_, err = d.settle(ctx, t, j, &p, trials, &out)
		}
		if err != nil {
			return out, err
		}
		if len(page) < pageSize {
			return out, nil
		}
		f.After = page[len(page)-1].ID.Seq()
	}
}

// read returns what reads the rows: also rows that finished, if the press asks for them.
func (p *Press) read(d *Desk) func(context.Context, int64, events.Filter) ([]events.Event, error) {
	if p.Act == Resubmit && slices.Contains(p.Filter.Statuses, events.Finish) {
		return d.events.List
	}
	return d.events.Bad
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

// trials returns what the press does to those of the rows that it is about.
func (p *Press) trials(rows []*events.Event, j *Judge) ([]Trial, error) {
	var out []Trial
	for _, e := range rows {
		if !p.wants(e) {
			continue
		}
		cells, err := p.cells(e, j)
		if err != nil {
			return nil, err
		}
		out = append(out, Trial{Event: e, Cells: cells})
	}
	return out, nil
}

// leavesSuperseded reports whether the press is not about superseded rows: they are
// neither named nor asked for.
func (p *Press) leavesSuperseded() bool {
	return !p.Anyway && len(p.Seqs) == 0 && p.Filter.Resolution != events.Superseded
}

// wants reports whether the press is about a row.
func (p *Press) wants(e *events.Event) bool {
	skipped := e.State() == events.Skipped
	switch {
	case e.Erased():
		return false
	case p.Act == Reopen:
		return skipped
	case e.State() == events.Superseded && p.leavesSuperseded():
		return false
	case p.Act == Skip:
		asked := len(p.Seqs) > 0 || p.Filter.Resolution == events.Fixed || p.heirs[e.ID]
		return !skipped && (asked || e.State() != events.Fixed) // a user has worked on it
	}
	return !skipped || len(p.Seqs) > 0 || p.Filter.Resolution == events.Skipped
}
