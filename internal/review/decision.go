package review

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
)

// intent is the intended change of a row.
type intent struct {
	resolution events.Resolution // empty: the faults decide
	run        bool              // the row should run again if the validator allows it
	typed      bool              // new texts equal to the old ones are an edit, too
	note       string
}

// decision returns the change of a row. The result `do` reports whether the row changes. No other
// function of the package makes rows run again.
func (r *ValidatedRow) decision(w intent) (d decisions.Decision, do bool) {
	e, changed, fault := r.Event, len(r.after) > 0, r.known()
	if w.run && r.MayRun() || r.instead != nil && r.Fault == nil {
		fault = nil // the run decides, or another row of the key counts
	}
	d = decisions.Decision{ID: e.ID, Version: e.Version, Resolution: w.resolution, Note: w.note, RunAt: r.runAt, Score: r.score}
	if r.prior != nil {
		return r.restored(d), true
	}
	if changed || w.typed && r.typed || r.reopens(w) && r.twin != nil {
		d.Edit = &decisions.Edit{
			Params: writeCells(r.cells), Key: r.Key, Fault: fault, Before: r.before, After: r.after,
		}
	}
	back := r.instead != nil && w.resolution == "" && e.State() != events.Superseded && !e.State().Left()
	switch {
	case w.run && r.MayRun():
		d.Resolution = events.Resubmitted
	case w.resolution.Left():
	case w.resolution == "" && d.Edit == nil && !back:
		d.Resolution = e.State()
	case fault != nil:
		d.Resolution = events.Open
	case r.instead != nil:
		d.Resolution = events.Superseded
	case d.Edit != nil, e.Faultless():
		d.Resolution = events.Fixed
	}
	runs := d.Resolution == events.Resubmitted
	d.Alone = r.alone && !d.Resolution.Left() && (d.Edit != nil || runs || r.reopens(w))
	return d, changed || runs || back || w.resolution != ""
}

// restored returns the decision that sets a row back to its state before the act that is undone.
func (r *ValidatedRow) restored(d decisions.Decision) decisions.Decision {
	d.Restore, d.Resolution, d.Alone = r.prior, r.prior.State(), r.alone
	if len(r.after) > 0 {
		d.Edit = &decisions.Edit{Params: writeCells(r.cells), Key: r.prior.Key, Before: r.before, After: r.after}
	}
	return d
}

// reopens reports whether the change ends the skip or the acceptance of a row.
func (r *ValidatedRow) reopens(w intent) bool {
	return r.Event.State().Left() && w.resolution != "" && !w.resolution.Left()
}
