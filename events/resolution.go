package events

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Resolution is what has become of a row that failed or is in error: what a person
// has made of it or, of a superseded one, the row that counts instead.
type Resolution string

// The resolutions. In the ledger Open is null, and a bad row that is
// Resubmitted has failed again, and is open: see Event.State.
const (
	Open        Resolution = "open"        // a person must act
	Fixed       Resolution = "fixed"       // no fault of it is known any more; it can be resubmitted
	Skipped     Resolution = "skipped"     // a person has decided to leave it as it is
	Resubmitted Resolution = "resubmitted" // it runs, or has run, again
	Superseded  Resolution = "superseded"  // it did not run: a newer row of its key had finished
)

// State returns the resolution of an event; empty if there is nothing to resolve.
func (e *Event) State() Resolution {
	switch {
	case e.Resolution == nil && !e.Status.Bad():
		return ""
	case e.Resolution == nil, e.Status.Bad() && *e.Resolution == Resubmitted:
		return Open
	}
	return *e.Resolution
}

// CodeSuperseded is the code of a row that did not run, or need not run, because
// another row of its key counts instead.
const CodeSuperseded = "SUPERSEDED"

// grouped reports whether a bad row is counted in a group of errors. A superseded
// row is not: nothing is wrong with it.
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

// resolved is by how much the numbers of skipped and superseded rows of tasks move.
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
