package events

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Resolution is the decision about a row that failed or is in error. A user decides, or the service
// marks the row as Superseded.
type Resolution string

// These are the resolutions. The ledger stores Open as null. A bad row with the resolution
// Resubmitted has failed again and is therefore open: see Event.State.
const (
	Open        Resolution = "open"        // a user must act
	Fixed       Resolution = "fixed"       // it has no known fault any more; it can be resubmitted
	Skipped     Resolution = "skipped"     // a user has decided to leave it unchanged
	Accepted    Resolution = "accepted"    // a user has accepted it without a change; counted as Skipped
	Resubmitted Resolution = "resubmitted" // it runs again, or has run again
	Superseded  Resolution = "superseded"  // it did not run: another row of its key replaces it
)

// Left reports whether a user has decided to leave a bad row unchanged.
func (r Resolution) Left() bool { return r == Skipped || r == Accepted }

// State returns the resolution of an event. For a bad row whose stored resolution is missing or
// Resubmitted, it returns Open. For an event that is not bad and has no stored resolution, it returns
// "".
func (e *Event) State() Resolution {
	switch {
	case e.Resolution == nil && !e.Status.Bad():
		return ""
	case e.Resolution == nil, e.Status.Bad() && *e.Resolution == Resubmitted:
		return Open
	}
	return *e.Resolution
}

// CodeSuperseded is the code of a row that does not run because another row of its key replaces it.
const CodeSuperseded = "SUPERSEDED"

// grouped reports whether a bad row counts in an error group. Superseded rows do not count, since
// they have no fault.
func (r Resolution) grouped() bool { return r != Superseded }

// counts returns 1 if the resolution equals `other`, else 0. Accepted counts as Skipped.
func (r Resolution) counts(other Resolution) int64 {
	if r == other || other == Skipped && r.Left() {
		return 1
	}
	return 0
}

// Stored returns the stored form of a resolution, which is "" for Open.
func (r Resolution) Stored() string {
	if r == Open {
		return ""
	}
	return string(r)
}

// resolved holds changes of the counts of skipped and superseded rows, by task number.
type resolved map[int64]struct{ skipped, superseded int64 }

// move adds the change of one row's resolution to the changes of the task `num`.
func (r resolved) move(num int64, from, to Resolution) {
	n := r[num]
	n.skipped += to.counts(Skipped) - from.counts(Skipped)
	n.superseded += to.counts(Superseded) - from.counts(Superseded)
	r[num] = n
}

// count adds the changes to the counts of the tasks, the youngest task first, so that two transactions
// cannot deadlock.
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
