package decisions

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// These constants name the acts of users on rows in audit entries of a task. Package tasks names further
// acts.
const (
	actPatch    = "patch"
	actFix      = "fix"
	actOpen     = "open"
	actSkip     = "skip"
	actAccept   = "accept"
	actResubmit = "resubmit"
	actUndo     = "undo"
)

// actOf maps a resolution to the act that the audit log names for it.
type actOf struct {
	of  events.Resolution
	act string
}

var acts = [...]actOf{{events.Fixed, actFix}, {events.Open, actOpen}, {events.Superseded, actOpen}, {events.Skipped, actSkip}, {events.Accepted, actAccept}, {events.Resubmitted, actResubmit}}

// writeAudit adds an audit entry for each edited row, one entry for all rows with the same decision, and one
// entry for all restored rows. An edited row is in another entry only if it was skipped, accepted or
// resubmitted.
func (s *Store) writeAudit(ctx context.Context, tx ledger.Tx, r Review, list []decided) error {
	entry := audit.Entry{Subject: audit.Task(r.Num), At: s.now().UnixMilli(), Actor: r.By}
	var entries []audit.Entry
	for i := range list {
		if list[i].Edit != nil {
			entries = append(entries, list[i].edited(entry, r))
		}
	}
	for _, a := range acts {
		if rows := a.chosen(list); len(rows) > 0 {
			entries = append(entries, decidedEntry(entry, r, a.act, rows))
		}
	}
	if rows := restored(list); len(rows) > 0 {
		entries = append(entries, decidedEntry(entry, r, actUndo, rows))
	}
	return audit.Write(ctx, tx, entries...)
}

// edited returns the audit entry about an edited row.
func (d *decided) edited(e audit.Entry, r Review) audit.Entry {
	e.Act, e.Seq, e.Touched = actPatch, d.ID.Seq(), 1
	e.Detail = audit.Detail{Before: d.Edit.Before, After: d.Edit.After, Note: d.Note}
	if d.Edit.Fault != nil {
		e.Detail.Code = d.Edit.Fault.Code
	}
	if d.Resolution != events.Resubmitted {
		e.Detail.ActID = r.ActID
	}
	return e
}

// chosen returns the rows whose decision is `a.of`. It leaves out restored rows. It includes edited
// rows only if they were skipped, accepted or resubmitted; for others, the entry about the edit is
// enough.
func (a *actOf) chosen(list []decided) (out []*decided) {
	for i := range list {
		d := &list[i]
		edited := d.Edit != nil && !d.Resolution.Left() && d.Resolution != events.Resubmitted
		if d.Resolution == a.of && !edited && d.Restore == nil {
			out = append(out, d)
		}
	}
	return out
}

// restored returns the rows that an undo has restored without changing their cells.
func restored(list []decided) (out []*decided) {
	for i := range list {
		if d := &list[i]; d.Restore != nil && d.Edit == nil {
			out = append(out, d)
		}
	}
	return out
}

// decidedEntry returns the audit entry about rows with the same decision.
func decidedEntry(e audit.Entry, r Review, act string, rows []*decided) audit.Entry {
	e.Act, e.Touched = act, int64(len(rows))
	e.Detail = audit.Detail{Note: rows[0].Note, Request: r.Detail}
	if act != actResubmit {
		e.Detail.ActID = r.ActID
	} else {
		e.Detail.Rerun = cmp.Or(r.Rerun, r.ActID)
	}
	if len(rows) == 1 {
		e.Seq = rows[0].ID.Seq()
	} else {
		e.Detail.First, e.Detail.Last = rows[0].old.Row, rows[len(rows)-1].old.Row
	}
	return e
}
