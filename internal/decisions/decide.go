package decisions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Decision is the decision of a user about one row that failed or is in error. A row that finished can
// only be resubmitted unchanged. A decision applies only if the event still has the given version, so
// it does not overwrite other changes.
type Decision struct {
	ID      events.ID
	Version int

	// Resolution is the new resolution of the row. With Resubmitted, the row runs again with all its
	// retries, before the rows of its key that still wait.
	Resolution events.Resolution

	// RunAt is the earliest time at which a resubmitted row runs, in unix ms; 0 means at once. A row
	// that has run before runs at once.
	RunAt int64

	// Score is the version of the row with its new params; nil if none.
	Score *int64

	// Edit changes the params of the row; nil keeps them.
	Edit *Edit

	// Alone means that the row must be the only row of its task with its key. The decision is not made
	// if another row holds the key by now: see Holders.
	Alone bool

	// Restore restores the state of the row before an act, except for its cells: see Edit. Resolution
	// must then be Restore.State. Nil means that the row is validated again.
	Restore *Was

	// Note is the user's reason; may be empty.
	Note string
}

// Edit holds new params of a row, with the result of their validation.
type Edit struct {
	Params json.RawMessage
	Key    string          // the ordering key of the new params
	Fault  *events.Failure // their fault; nil if none is known

	Before, After map[string]*string // the changed cells; nil means an empty cell
}

// Review is one act of a user on rows of a task.
type Review struct {
	Num    int64           // of the task
	By     string          // who
	Detail json.RawMessage // further facts for the audit log, such as a filter; JSON, may be empty
	Rows   []Decision      // of different rows; a few thousand at most, since they are locked

	// ActID is the id of the act that the review is part of. Without it, the review cannot be undone:
	// see Act. Act is the value of Act.Act. Undoes is the id of the act that the review undoes.
	ActID  string
	Act    string
	Undoes *Act

	// Fix holds the values that the act replaces; nil if it replaces none.
	Fix *Fix

	// Keys is the rule of the task for rows of one key.
	Keys KeyRule

	// Hashed means that the rows of the task are indexed by Lane.Hash, because their kind is ordered.
	Hashed bool

	// Heirs, if not nil, receives the open rows that now count for a key, since the review has taken
	// the key from another row.
	Heirs map[events.ID]bool

	// With Anyway, resubmitted rows run even if a newer row of their key has finished. Otherwise such
	// a row ends as Superseded.
	Anyway bool
}

// Decide makes all decisions that still apply, in one transaction with the counts of the task, the
// error groups and the audit log. The first resubmitted row starts another round of a task that is
// done, and reopens its parents. made reports, for each decision, whether it was made; late decisions
// have no effect. A repeated call is harmless. After ErrClosed nothing was changed.
func (s *Store) Decide(ctx context.Context, r Review) (made []bool, err error) {
	if len(r.Rows) == 0 {
		return nil, nil
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		made, err = s.decide(ctx, tx, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("decisions: review of task %d: %w", r.Num, events.Unfit(err))
	}
	return made, nil
}

func (s *Store) decide(ctx context.Context, tx ledger.Tx, r Review) ([]bool, error) {
	lane, err := s.lockTask(ctx, tx, r.Num)
	if err != nil {
		return nil, err
	}
	rulings, err := s.load(ctx, tx, r, lane)
	if err != nil {
		return nil, err
	}
	if rulings, err = withHeirs(ctx, tx, r, lane, rulings); err != nil {
		return nil, err
	}
	if rulings, err = write(ctx, tx, rulings); err != nil {
		return nil, err
	}
	failpoint.Hit("decided")
	made := make([]bool, len(r.Rows))
	for _, one := range rulings {
		if one.at >= 0 { // else it is an heir
			made[one.at] = true
		}
	}
	if err := s.events.RunAgain(ctx, tx, r.rerun(rulings)); err != nil {
		return nil, err
	}
	if err := events.CountChanged(ctx, tx, r.Num, changed(rulings)); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, unblockSQL, ledger.Args{"num": r.Num}); err != nil {
		return nil, err
	}
	if err := s.keepAct(ctx, tx, r, lane, rulings); err != nil {
		return nil, err
	}
	return made, s.writeAudit(ctx, tx, r, rulings)
}

// lockTask locks the task and returns its lane.
func (s *Store) lockTask(ctx context.Context, tx ledger.Tx, num int64) (lane events.Lane, err error) {
	held, err := ledger.Row(ctx, tx, decideHoldSQL, ledger.Args{"num": num}, &lane.Tenant, &lane.Kind)
	if err == nil && !held {
		err = events.ErrClosed
	}
	return lane, err
}

// changed returns the rows of decisions before and after.
func changed(list []decided) []events.Changed {
	out := make([]events.Changed, len(list))
	for i := range list {
		out[i] = events.Changed{Old: &list[i].old, New: &list[i].new}
	}
	return out
}

// rerun returns the rows that decisions resubmit, in their state before.
func (r *Review) rerun(list []decided) events.Rerun {
	out := events.Rerun{Num: r.Num, Anyway: r.Anyway}
	for i := range list {
		if list[i].Resolution == events.Resubmitted {
			out.Rows = append(out.Rows, &list[i].old)
		}
	}
	return out
}

// decided is a decision with its row, before and after.
type decided struct {
	Decision
	at  int
	old events.Event
	new events.Event
	now int64 // unix ms

	ranBy events.Runner // of a row that finished
}

// load reads the rows, and leaves out late decisions.
func (s *Store) load(ctx context.Context, tx ledger.Tx, r Review, lane events.Lane) ([]decided, error) {
	rows, err := readBad(ctx, tx, r.Rows)
	if err != nil {
		return nil, err
	}
	now := s.now().UnixMilli()
	var out []decided
	for i, d := range r.Rows {
		old, ok := rows[d.ID]
		if !ok || old.Version != d.Version || d.ID.Num() != r.Num {
			continue
		}
		delete(rows, d.ID) // a second decision about the row is late
		one := decided{Decision: d, at: i, old: old, now: now}
		if old.Status == events.Finish {
			if d.Resolution != events.Resubmitted || d.Edit != nil || d.Restore != nil {
				continue
			}
			if one.ranBy, err = s.events.Runner(ctx, old.RanBy); err != nil {
				return nil, err
			}
		}
		one.apply(r.By)
		one.new.KeyHash = lane.Hash(one.new.Key)
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b decided) int { return int(a.ID.Seq() - b.ID.Seq()) })
	return uncontested(ctx, tx, r.Num, lane, out)
}

// apply sets the fields that the row will have.
func (d *decided) apply(by string) {
	d.new = d.old
	e := &d.new
	res := events.Resolution(d.Resolution.Stored())
	e.Resolution, e.ResolvedBy, e.ResolvedAt = &res, &by, &d.now
	e.ResolutionNote = textutil.Optional(events.StorableText(d.Note))
	if d.Edit != nil {
		e.Params, e.Key, e.Score = string(d.Edit.Params), d.Edit.Key, d.Score
		e.SetFailure(d.Edit.Fault)
	}
	if d.Restore != nil {
		d.Restore.into(e)
	}
	if d.Resolution == events.Resubmitted {
		e.Status = events.Enqueue
		if e.Attempt == 0 && d.RunAt > d.now {
			e.NextRunAt = &d.RunAt
		}
		e.Code, e.Col, e.Value, e.Message, e.Hint, e.Fields, e.Print = nil, nil, nil, nil, nil, nil, nil
	}
	notes := append(d.past(), events.Note{
		At: d.now, Attempt: e.Attempt, Status: e.Status, Text: events.StorableText(d.text(by)),
	})
	e.Messages = textutil.Optional(events.NoteLines(notes))
}

// past returns the missing note of the attempt that the decision replaces. Rows that finished, or that
// were invalid in their file, have no such note yet.
func (d *decided) past() []events.Note {
	e := &d.old
	if e.Status == events.Finish {
		return []events.Note{e.FinishedNote(d.ranBy)}
	}
	replaced := d.Resolution == events.Resubmitted || d.Edit != nil && d.Edit.Fault != nil
	if !replaced || e.Attempt > 0 || e.Status != events.Failed || textutil.Deref(e.Code) == events.CodeSuperseded {
		return nil
	}
	return []events.Note{{
		At: textutil.Deref(e.FinishedAt), Status: e.Status,
		Ended: &events.Ending{Outcome: events.BusinessFault, Faults: e.Faults()},
	}}
}

// readBad locks and returns the bad rows among the rows of the decisions.
func readBad(ctx context.Context, tx ledger.Tx, list []Decision) (map[events.ID]events.Event, error) {
	ids := make([]int64, len(list))
	for i, d := range list {
		ids[i] = int64(d.ID)
	}
	out := make(map[events.ID]events.Event, len(list))
	err := tx.Query(ctx, decideReadSQL, ledger.Args{"ids": ids}, func(scan ledger.Scan) error {
		var e events.Event
		err := scan(&e.ID, &e.Row, &e.Version, &e.Status, &e.Attempt, &e.Key, &e.Code, &e.Col,
			&e.Value, &e.Message, &e.Hint, &e.Fields, &e.Resolution, &e.ResolvedBy, &e.ResolvedAt,
			&e.ResolutionNote, &e.Print, &e.Result,
			&e.QueuedAt, &e.StartedAt, &e.FinishedAt, &e.RanBy, &e.Score)
		out[e.ID] = e
		return err
	})
	return out, err
}
