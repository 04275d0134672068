package recount

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/audit.sql
	auditSQL string
	//go:embed sql/audit_groups.sql
	auditGroupsSQL string
	//go:embed sql/hold_task.sql
	holdTaskSQL string
	//go:embed sql/hold_feed.sql
	holdFeedSQL string
	//go:embed sql/repair_counts.sql
	repairCountsSQL string
	//go:embed sql/repair_feed.sql
	repairFeedSQL string
	//go:embed sql/repair_held.sql
	repairHeldSQL string
	//go:embed sql/drop_feed.sql
	dropFeedSQL string
	//go:embed sql/reopen.sql
	reopenSQL string
	//go:embed sql/new_feed.sql
	newFeedSQL string
)

// ErrGaps means that a task lacks events or has too many. Repair cannot correct its counts: an
// operator must restore the rows.
var ErrGaps = errors.New("the rows of the task have gaps")

// Counts holds the number of events of a task by status.
type Counts struct {
	Total, Enqueue, Working, Finish, Failed, Error, Canceled int64
	Retrying                                                 int64 // part of Enqueue
}

// Audit holds the stored counts of a task and the counts of its events at one moment. A later statement
// reads Groups, so Groups may include later changes.
type Audit struct {
	Num              int64
	ID, Tenant, Kind string
	Canceling        bool // the task is being canceled, so its unfed and resubmitted rows are not compared
	Final            bool // no more events will be added
	Done             bool
	Families         bool // all children are done, and no file of an export remains to be merged
	HasFeed          bool
	Claimed          bool // an unrecorded push may have brought rows to Redis; the counts below may then still change
	Fed              int64
	Stored           Counts // counts stored in the task
	Skipped          int64  // skipped rows, stored in the task
	Superseded       int64  // superseded rows, stored in the task
	StoredUnfed      int64  // unfed rows, stored in its feed
	Last             int64  // the greatest seq of an event
	Found            Counts // counts of the events of the task
	FoundUnfed       int64  // events after Fed that are not at rest
	StoredBack       int64  // resubmitted rows that wait to be fed, stored in its feed
	FoundBack        int64  // the same, counted from the rows
	StoredHeld       int64  // held rows, stored in its feed
	FoundHeld        int64  // the same, counted from the groups of held rows
	FoundSkipped     int64  // failed rows and rows in error that were skipped or accepted
	FoundSuperseded  int64  // failed rows and rows in error that were superseded
	Groups           []GroupAudit
}

// GroupAudit is an error group whose stored counts are wrong.
type GroupAudit struct {
	Status                      events.Status
	Code, Col                   string
	Stored, Found               int64
	StoredFixed, FoundFixed     int64
	StoredSkipped, FoundSkipped int64
}

// Difference is a disagreement between a task and its events, as a sentence.
type Difference string

// Differences returns the differences between the stored counts and the events; nil if all counts are
// correct. It reports error groups only from the field Groups, which has at most 100.
func (a *Audit) Differences() []Difference {
	var out []Difference
	say := func(wrong bool, format string, args ...any) {
		if wrong {
			out = append(out, Difference(fmt.Sprintf(format, args...)))
		}
	}
	for _, n := range [...]struct {
		name          string
		stored, found int64
	}{
		{"total", a.Stored.Total, a.Found.Total},
		{"enqueue", a.Stored.Enqueue, a.Found.Enqueue},
		{"working", a.Stored.Working, a.Found.Working},
		{"finish", a.Stored.Finish, a.Found.Finish},
		{"failed", a.Stored.Failed, a.Found.Failed},
		{"error", a.Stored.Error, a.Found.Error},
		{"canceled", a.Stored.Canceled, a.Found.Canceled},
		{"retrying", a.Stored.Retrying, a.Found.Retrying},
	} {
		say(n.stored != n.found, "the stored count %s is %d, but the rows give %d", n.name, n.stored, n.found)
	}
	say(a.Skipped != a.FoundSkipped, "the stored count skipped is %d, but the rows give %d", a.Skipped, a.FoundSkipped)
	say(a.Superseded != a.FoundSuperseded, "the stored count superseded is %d, but the rows give %d", a.Superseded, a.FoundSuperseded)
	say(a.gaps(), "the rows have gaps: %d rows exist, but the last has number %d", a.Found.Total, a.Last)
	for _, g := range a.Groups {
		say(g.Stored != g.Found, "the stored count of the cause %s %s %q is %d, but the rows give %d",
			g.Status, g.Code, g.Col, g.Stored, g.Found)
		say(g.Stored == g.Found, "the stored counts of the cause %s %s %q are %d fixed and %d skipped, but the rows give %d and %d",
			g.Status, g.Code, g.Col, g.StoredFixed, g.StoredSkipped, g.FoundFixed, g.FoundSkipped)
	}
	left := a.Found.Enqueue + a.Found.Working
	say(a.Done && left > 0, "the task is done, but %d rows have not ended", left)
	say(a.stuck(), "all rows have ended, but the task is not done")
	say(a.Done && a.HasFeed, "the task is done, but has a feed")
	say(!a.Done && !a.HasFeed, "the task is not done, but has no feed")
	say(a.HasFeed && a.Fed > a.Last, "%d rows were fed, but the last row has number %d", a.Fed, a.Last)
	// StoredUnfed may be too high. It includes rows that a feeder has pushed before a crash, even after
	// their end. The next feeder skips them, and corrects the count at the end.
	say(a.waits() && a.StoredUnfed < a.FoundUnfed, "the stored count of rows to be fed is %d, but the rows give %d", a.StoredUnfed, a.FoundUnfed)
	say(a.waits() && a.StoredBack != a.FoundBack, "the stored count of resubmitted rows to be fed is %d, but the rows give %d",
		a.StoredBack, a.FoundBack)
	say(a.HasFeed && a.StoredHeld != a.FoundHeld, "the stored count of held rows is %d, but the groups of held rows give %d", a.StoredHeld, a.FoundHeld)
	return out
}

// gaps reports whether the task lacks events or has too many. Otherwise, the seqs of the events run from
// 1 to the total.
func (a *Audit) gaps() bool { return a.Last != a.Found.Total }

func (a *Audit) stuck() bool {
	return !a.Done && a.Final && a.Families && a.Found.Enqueue+a.Found.Working == 0
}

// waits reports whether the task has a feed without unrecorded pushes, and is not being canceled.
func (a *Audit) waits() bool { return a.HasFeed && !a.Claimed && !a.Canceling }

// Audit compares a task with its events. The database counts the events, so memory does not grow with
// the task. Audit returns nil for a task that does not exist or is purged.
func (s *Store) Audit(ctx context.Context, num int64) (a *Audit, err error) {
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		if a, err = inspect(ctx, tx, num); err != nil || a == nil {
			return err
		}
		a.Groups, err = auditGroups(ctx, tx, num)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recount: audit of task %d: %w", num, err)
	}
	return a, nil
}

func inspect(ctx context.Context, tx ledger.Tx, num int64) (a *Audit, err error) {
	err = tx.Query(ctx, auditSQL, events.Bounds(num), func(scan ledger.Scan) error {
		a = &Audit{Num: num}
		t, f := &a.Stored, &a.Found
		return scan(&a.ID, &a.Tenant, &a.Kind, &a.Canceling, &a.Final, &a.Done, &a.Families,
			&a.HasFeed, &a.Claimed, &a.Fed, &a.StoredUnfed, &a.StoredBack, &a.StoredHeld, &a.FoundHeld,
			&t.Total, &t.Enqueue, &t.Working, &t.Finish, &t.Failed, &t.Error, &t.Canceled, &t.Retrying,
			&a.Skipped, &a.Superseded, &a.Last, &f.Total,
			&f.Enqueue, &f.Working, &f.Finish, &f.Failed, &f.Error, &f.Canceled, &f.Retrying,
			&a.FoundUnfed, &a.FoundBack, &a.FoundSkipped, &a.FoundSuperseded)
	})
	return a, err
}

func auditGroups(ctx context.Context, tx ledger.Tx, num int64) ([]GroupAudit, error) {
	return ledger.List(ctx, tx, auditGroupsSQL, events.Bounds(num), func(scan ledger.Scan, g *GroupAudit) error {
		return scan(&g.Status, &g.Code, &g.Col, &g.Stored, &g.Found,
			&g.StoredFixed, &g.FoundFixed, &g.StoredSkipped, &g.FoundSkipped)
	})
}

// Repair corrects the counts, error groups and feed (the record of the feeder) of a task from its events.
// It ends the task if no work is left, and reopens a done task with rows that are not at rest. It may be
// called while the task runs, and leaves correct values unchanged. It returns the differences that it
// corrected, or ErrGaps.
func (s *Store) Repair(ctx context.Context, num int64) (mended []Difference, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		mended = nil
		for _, text := range []string{holdTaskSQL, holdFeedSQL} {
			if _, err := tx.Exec(ctx, text, ledger.Args{"num": num}); err != nil {
				return err
			}
		}
		a, err := inspect(ctx, tx, num)
		if err != nil || a == nil {
			return err
		}
		if a.Groups, err = auditGroups(ctx, tx, num); err != nil {
			return err
		}
		if mended = a.Differences(); len(mended) == 0 {
			return nil
		}
		if a.gaps() {
			return ErrGaps
		}
		return s.repair(ctx, tx, a)
	})
	if err != nil {
		return nil, fmt.Errorf("recount: repair task %d: %w", num, err)
	}
	return mended, nil
}

func (s *Store) repair(ctx context.Context, tx ledger.Tx, a *Audit) error {
	f, only := a.Found, ledger.Args{"num": a.Num}
	early := a.Done && f.Enqueue+f.Working > 0
	lost := !a.HasFeed || a.Fed > a.Last
	if len(a.Groups) > 0 {
		if err := repairGroups(ctx, tx, a.Num); err != nil {
			return err
		}
	}
	if a.Done || lost {
		if err := feedrow.DropHeld(ctx, tx, a.Num); err != nil {
			return err
		}
	}
	for _, step := range []struct {
		when bool
		text string
		args ledger.Args
	}{
		{true, repairCountsSQL, ledger.Args{
			"num": a.Num, "total": f.Total, "enqueue": f.Enqueue, "working": f.Working, "finish": f.Finish,
			"failed": f.Failed, "error": f.Error, "canceled": f.Canceled, "retrying": f.Retrying,
			"skipped": a.FoundSkipped, "superseded": a.FoundSuperseded,
		}},
		{early, reopenSQL, only},
		{a.Done || lost, dropFeedSQL, only},
		{a.HasFeed, repairHeldSQL, ledger.Args{"num": a.Num, "held": a.FoundHeld}},
		{a.waits(), repairFeedSQL, ledger.Args{
			"num": a.Num, "unfed": a.FoundUnfed, "back": a.FoundBack,
		}},
		{early || !a.Done && lost, newFeedSQL, ledger.Args{"num": a.Num, "last": a.Last}},
	} {
		if !step.when {
			continue
		}
		if _, err := tx.Exec(ctx, step.text, step.args); err != nil {
			return err
		}
	}
	if err := feedrow.Place(ctx, tx, s.events.Now(), a.Num); err != nil {
		return err
	}
	return s.events.Complete(ctx, tx, a.Num)
}
