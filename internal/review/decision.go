package review

import "github.com/rollcall-dev/rollcall/events"

// wish is what an act wants to become of a row.
type wish struct {
	resolution events.Resolution // empty: what the faults say
	run        bool              // the row is to run again if the judge lets it
	typed      bool              // cells that change nothing are an edit, too
	note       string
}

// decision returns what becomes of a row, and whether that is anything at all. It is
// the only place that has rows run again.
func (r *Ruling) decision(w wish) (d events.Decision, do bool) {
	e, changed := r.Event, len(r.after) > 0
	d = events.Decision{ID: e.ID, Version: e.Version, Resolution: w.resolution, Note: w.note}
	if r.was != nil {
		return r.restored(d), true
	}
	if changed || w.typed && r.typed || r.reopens(w) && r.twin != nil {
		d.Edit = &events.Edit{
			Params: writeCells(r.cells), Key: r.Key, Fault: r.Fault, Before: r.before, After: r.after,
		}
	}
	back := r.instead != nil && w.resolution == "" && e.State() != events.Superseded && e.State() != events.Skipped
	switch {
	case w.run && r.MayRun():
		d.Resolution = events.Resubmitted
	case w.resolution == events.Skipped:
	case w.resolution == "" && d.Edit == nil && !back:
		d.Resolution = e.State()
	case r.Fault != nil:
		d.Resolution = events.Open
	case r.instead != nil:
		d.Resolution = events.Superseded
	case d.Edit != nil, e.Faultless():
		d.Resolution = events.Fixed
	}
	runs := d.Resolution == events.Resubmitted
	d.Alone = r.alone && d.Resolution != events.Skipped && (d.Edit != nil || runs || r.reopens(w))
	return d, changed || runs || back || w.resolution != ""
}

// restored returns the decision that restores a row.
func (r *Ruling) restored(d events.Decision) events.Decision {
	d.Restore, d.Resolution, d.Alone = r.was, r.was.State(), r.alone
	if len(r.after) > 0 {
		d.Edit = &events.Edit{Params: writeCells(r.cells), Key: r.was.Key, Before: r.before, After: r.after}
	}
	return d
}

// reopens reports whether a row that was skipped is so no more.
func (r *Ruling) reopens(w wish) bool {
	return r.Event.State() == events.Skipped && w.resolution != "" && w.resolution != events.Skipped
}
