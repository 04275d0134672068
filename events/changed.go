package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

func (e *Event) cause() cause {
	return cause{e.ID.Num(), e.Status, textutil.Deref(e.Code), textutil.Deref(e.Col), textutil.Deref(e.Print)}
}

// StoredResolution returns the stored resolution, or "" if there is none.
func (e *Event) StoredResolution() Resolution {
	if e.Resolution == nil {
		return ""
	}
	return *e.Resolution
}

//go:embed sql/count_resolutions.sql
var countResolutionsSQL string

//go:embed sql/unexplained.sql
var unexplainedSQL string

// Changed is a row before and after a change by a user.
type Changed struct{ Old, New *Event }

// CountChanged updates the error groups of a task, and its counts of skipped and superseded rows,
// after a change of rows. It runs in the transaction that changes the rows.
func CountChanged(ctx context.Context, tx ledger.Tx, num int64, list []Changed) error {
	removed, added, unmoved, by := groupDeltas{}, groupDeltas{}, groupDeltas{}, resolved{}
	for _, c := range list {
		from, to := c.Old, c.New
		newRes, oldRes := to.StoredResolution(), from.StoredResolution()
		by.move(num, oldRes, newRes)
		if from.cause() == to.cause() && newRes.grouped() == oldRes.grouped() {
			if newRes != oldRes && newRes.grouped() {
				n := unmoved[from.cause()]
				n.fixed += newRes.counts(Fixed) - oldRes.counts(Fixed)
				n.skipped += newRes.counts(Skipped) - oldRes.counts(Skipped)
				unmoved[from.cause()] = n
			}
			continue
		}
		if from.Status.Bad() && oldRes.grouped() {
			removed.add(from.cause(), from.Row, oldRes)
		}
		if to.Status.Bad() && newRes.grouped() {
			added.add(to.cause(), to.Row, newRes)
		}
	}
	if err := unmoved.run(ctx, tx, countResolutionsSQL); err != nil {
		return err
	}
	if err := regroup(ctx, tx, removed, added); err != nil {
		return err
	}
	return by.count(ctx, tx)
}

// ExplainGroups sets the missing fault texts of the error groups of a task. It reads each text from
// the message log of the group's first row. A group without a fault in this log stays without text.
func ExplainGroups(ctx context.Context, tx ledger.Tx, num int64) error {
	missing, err := unexplained(ctx, tx, num)
	if err != nil {
		return err
	}
	return missing.run(ctx, tx, groupSQL)
}

// unexplained returns deltas for the groups of system faults of a task that have no stored text. Each delta
// adds only the fault text of the group's first row.
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
