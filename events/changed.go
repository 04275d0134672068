package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// cause returns the cause of a bad row.
func (e *Event) cause() cause {
	return cause{e.ID.Num(), e.Status, textutil.Deref(e.Code), textutil.Deref(e.Col), textutil.Deref(e.Print)}
}

// StoredResolution returns the stored resolution; empty if there is none.
func (e *Event) StoredResolution() Resolution {
	if e.Resolution == nil {
		return ""
	}
	return *e.Resolution
}

//go:embed sql/tally.sql
var tallySQL string

//go:embed sql/unexplained.sql
var unexplainedSQL string

// Changed is a row before and after a change by a user.
type Changed struct{ Old, New *Event }

// CountChanged updates the error groups of a task, and its counts of skipped and superseded rows, for
// changed rows. It runs in the transaction that changes them.
func CountChanged(ctx context.Context, tx ledger.Tx, num int64, list []Changed) error {
	gone, come, same, by := groupDeltas{}, groupDeltas{}, groupDeltas{}, resolved{}
	for _, one := range list {
		from, to := one.Old, one.New
		is, was := to.StoredResolution(), from.StoredResolution()
		by.move(num, was, is)
		if from.cause() == to.cause() && is.grouped() == was.grouped() {
			if is != was && is.grouped() {
				n := same[from.cause()]
				n.fixed += is.counts(Fixed) - was.counts(Fixed)
				n.skipped += is.counts(Skipped) - was.counts(Skipped)
				same[from.cause()] = n
			}
			continue
		}
		if from.Status.Bad() && was.grouped() {
			gone.add(from.cause(), from.Row, was)
		}
		if to.Status.Bad() && is.grouped() {
			come.add(to.cause(), to.Row, is)
		}
	}
	if err := same.run(ctx, tx, tallySQL); err != nil {
		return err
	}
	if err := regroup(ctx, tx, gone, come); err != nil {
		return err
	}
	return by.count(ctx, tx)
}

// ExplainGroups fills in missing texts of the error groups of a task with the text of their first row.
func ExplainGroups(ctx context.Context, tx ledger.Tx, num int64) error {
	lost, err := unexplained(ctx, tx, num)
	if err != nil {
		return err
	}
	return lost.run(ctx, tx, groupSQL)
}

// unexplained returns deltas for the groups of a task that have no stored text. Each delta sets the
// text of the group's first row, and adds no rows.
func unexplained(ctx context.Context, tx ledger.Tx, num int64) (groupDeltas, error) {
	out := groupDeltas{}
	err := tx.Query(ctx, unexplainedSQL, Bounds(num), func(scan ledger.Scan) error {
		k := cause{num: num}
		var n groupDelta
		var e Event
		e.Messages = new(string)
		err := scan(&k.status, &k.code, &k.col, &k.print, &n.first, e.Messages)
		if last := e.LastFault(); last != nil {
			n.fault = last.FaultText(k.print)
			out[k] = n
		}
		return err
	})
	return out, err
}
