package review

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// MaxSeqs is the greatest number of rows in BulkAction.Seqs.
const MaxSeqs = 1000

// Act is the change that a BulkAction makes to its rows.
type Act string

// These are all acts.
const (
	Repair   Act = "repair"   // change cells; the rows do not run
	Skip     Act = "skip"     // mark as skipped
	Accept   Act = "accept"   // mark as accepted without a change; the note is the reason
	Reopen   Act = "open"     // undo Skip and Accept
	Resubmit Act = "resubmit" // change cells, if requested, and run the rows again
	UndoAct  Act = "undo"     // undo the changes of another act
)

// Replace is a replacement of text in the cells of a column.
type Replace struct {
	Column string `json:"column"`
	Find   string `json:"find"`  // must not be empty, except with Whole
	With   string `json:"with"`  // the new text
	Whole  bool   `json:"whole"` // only cells equal to Find; else each occurrence of Find in a cell
}

// BulkAction is a bulk action on rows. It leaves out erased rows, and rows that ended after
// Filter.EndedBy, by default the start of the action. It leaves out skipped, accepted and superseded
// rows, unless Seqs or Filter names them. With Anyway, it includes superseded rows. Reopen selects only
// skipped and accepted rows. Skip and Accept always leave out skipped and accepted rows. They also leave
// out fixed rows, unless Seqs or Filter names them, or the act itself has made them fixed.
type BulkAction struct {
	Act    Act
	By     string
	Note   string
	Filter events.Filter   // of bad rows and, for Resubmit, of finished rows; its page is ignored
	Query  string          // a text that the row must contain, or the number of the row in its file
	Across bool            // the act is part of an act on many tasks, where Query does not match numbers of rows
	Seqs   []int64         // instead of a filter; at most MaxSeqs
	Holds  *CellFilter     // only rows with this text in this column; nil means all
	Set    Cells           // texts for all rows
	Put    *Replace        // a replacement in the cells of a column; nil for none
	Fix    *decisions.Fix  // whole cells to replace; rows without such a text are left out
	Detail json.RawMessage // detail for the audit log, in JSON; may be empty
	DryRun bool            // only count
	Anyway bool            // rows run even if a newer row of their key has finished

	// RunAfter is the delay after which the rows of a Repair are resubmitted automatically; 0 means never.
	// Until then a user can undo the act.
	RunAfter time.Duration

	// Whole is an id that all calls of Rerun for one act share, for the audit log. Other methods do not
	// need it.
	Whole string

	id      string             // of the act, for Undo
	lenient bool               // rows whose cells cannot be stored count as Moved
	undoes  *decisions.Act     // the act to undo; nil without one
	heirs   map[events.ID]bool // rows that inherited the key of a row of the act
}

// Bulk applies a bulk action to rows in file order. Each transaction changes at most 1,000 rows, and
// their heirs. After an error, the caller may repeat the call, which resubmits no row twice. A repeated
// Repair, however, replaces a text again if Put.With contains Put.Find.
func (d *Reviewer) Bulk(ctx context.Context, t *tasks.Task, p BulkAction) (Outcome, error) {
	var out Outcome
	j, err := d.validatorOf(t, p.DryRun)
	if err != nil {
		return out, err
	}
	j.anyway = p.Anyway
	f := p.Filter
	f.NotSuperseded = p.leavesSuperseded()
	f.EndedBy, f.Seqs, f.Limit = cmp.Or(f.EndedBy, d.now().UnixMilli()), p.Seqs, pageSize
	match := RowMatcher(j.kind, p.Query)
	if p.Across {
		match = Matcher(j.kind, p.Query)
	}
	p.id, p.heirs = rand.Text(), map[events.ID]bool{}
	for {
		page, err := p.read(d)(ctx, t.Num, f)
		if err != nil {
			return out, err
		}
		trials, err := p.trials(keep(page, match), j)
		if err == nil {
			_, err = d.applyChanges(ctx, t, j, &p, trials, &out)
		}
		if err != nil {
			return out, err
		}
		if len(page) < pageSize {
			return out, d.runLater(ctx, t, &p, &out)
		}
		f.After = page[len(page)-1].ID.Seq()
	}
}

// read returns the function that reads the rows of the bulk action. This function also reads finished
// rows if the bulk action selects them.
func (p *BulkAction) read(d *Reviewer) func(context.Context, int64, events.Filter) ([]events.Event, error) {
	if p.Act == Resubmit && slices.Contains(p.Filter.Statuses, events.Finish) {
		return d.events.List
	}
	return d.events.Bad
}

// pageSize is the greatest number of rows that one transaction changes, without heirs.
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

// trials returns the changes of the selected rows.
func (p *BulkAction) trials(rows []*events.Event, j *Validator) ([]RowChange, error) {
	var out []RowChange
	for _, e := range rows {
		held, err := p.matchesCell(e, j)
		if err != nil {
			return nil, err
		}
		if !held || !p.wants(e) {
			continue
		}
		cells, err := p.cells(e, j)
		if err != nil {
			return nil, err
		}
		if p.Fix == nil || cells != nil {
			out = append(out, RowChange{Event: e, Cells: cells})
		}
	}
	return out, nil
}

// leavesSuperseded reports whether the bulk action omits superseded rows. It includes them if Seqs
// or Filter names them, or if Anyway is set.
func (p *BulkAction) leavesSuperseded() bool {
	return !p.Anyway && len(p.Seqs) == 0 && p.Filter.Resolution != events.Superseded
}

// wants reports whether the bulk action selects a row.
func (p *BulkAction) wants(e *events.Event) bool {
	skipped := e.State().Left()
	switch {
	case e.Erased():
		return false
	case p.Act == Reopen:
		return skipped
	case e.State() == events.Superseded && p.leavesSuperseded():
		return false
	case p.Act == Skip || p.Act == Accept:
		asked := len(p.Seqs) > 0 || p.Filter.Resolution == events.Fixed || p.heirs[e.ID]
		return !skipped && (asked || e.State() != events.Fixed) // Fixed: a user has edited the row
	}
	return !skipped || len(p.Seqs) > 0 || p.Filter.Resolution.Left()
}
