package events

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Resolution is the state of a row that failed or is in error: the decision of a user, or Superseded
// if another row replaces the row.
type Resolution string

// The resolutions. In the ledger Open is null. A bad row that is Resubmitted has failed again, and is
// therefore open: see Event.State.
const (
	Open        Resolution = "open"        // a user must act
	Fixed       Resolution = "fixed"       // it has no known fault any more; it can be resubmitted
	Skipped     Resolution = "skipped"     // a user has decided to leave it unchanged
	Resubmitted Resolution = "resubmitted" // it runs again, or has run again
	Superseded  Resolution = "superseded"  // it did not run: a newer row of its key had finished
)

// State returns the resolution of an event; empty if the row needs no resolution.
func (e *Event) State() Resolution {
	switch {
	case e.Resolution == nil && !e.Status.Bad():
		return ""
	case e.Resolution == nil, e.Status.Bad() && *e.Resolution == Resubmitted:
		return Open
	}
	return *e.Resolution
}

// CodeSuperseded is the code of a row that did not run, or need not run, because another row of its
// key replaces it.
const CodeSuperseded = "SUPERSEDED"

// grouped reports whether a bad row is counted in a group of errors. Superseded rows are not counted,
// since they have no fault.
func (r Resolution) grouped() bool { return r != Superseded }

// counts returns 1 if r equals other, else 0.
func (r Resolution) counts(other Resolution) int64 {
	if r == other {
		return 1
	}
	return 0
}

// Stored returns the value in the ledger.
func (r Resolution) Stored() string {
	if r == Open {
		return ""
	}
	return string(r)
}

// resolved holds the changes of the numbers of skipped and superseded rows, by task.
type resolved map[int64]struct{ skipped, superseded int64 }

// move counts one row of a task that goes from one resolution to another.
func (r resolved) move(num int64, from, to Resolution) {
	n := r[num]
	n.skipped += to.counts(Skipped) - from.counts(Skipped)
	n.superseded += to.counts(Superseded) - from.counts(Superseded)
	r[num] = n
}

// count writes the numbers, of the youngest task first: see Store.count.
func (r resolved) count(ctx context.Context, tx ledger.Tx) error {
	for _, num := range slices.Backward(slices.Sorted(maps.Keys(r))) {
		n := r[num]
		if n.skipped == 0 && n.superseded == 0 {
			continue
		}
		_, err := tx.Exec(ctx, countResolvedSQL, ledger.Args{
			"num": num, "skipped": n.skipped, "superseded": n.superseded,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
