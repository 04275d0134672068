package decisions

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Decision is the decision of a user about one row that failed, ended in error or finished. A finished row
// can only be resubmitted, without an edit. A decision applies only if the row still has the version
// Version, so it does not overwrite other changes.
type Decision struct {
	ID      events.ID
	Version int

	// Resolution is the new resolution of the row. Resubmitted means that the row runs again, with
	// its full number of retries. It runs before later rows of its key that wait.
	Resolution events.Resolution

	// RunAt is the earliest time at which a resubmitted row runs, in unix ms; 0 means immediately. A
	// row that has run before always runs immediately.
	RunAt int64

	// Score is the version of the row with its new params; nil if the row has no version.
	Score *int64

	// Edit holds the new params of the row; nil if they do not change.
	Edit *Edit

	// Alone reports whether the decision requires that no other row of the task holds the key of this row.
	// If another row holds the key, the decision is not made.
	Alone bool

	// Restore is the earlier state to which an undo sets the row, or nil if the decision is not an undo.
	// Edit holds the cells of that state, or nil if the act changed no cells. Resolution must equal
	// Restore.State().
	Restore *PriorState

	// Note is the reason that the user gives; it may be empty.
	Note string
}

// Edit holds new params of a row, with the result of their validation.
type Edit struct {
	Params json.RawMessage
	Key    string          // the ordering key of the new params
	Fault  *events.Failure // fault of the new params; nil if none is known

	Before, After map[string]*string // the changed cells; nil means an empty cell
}

// Review is one act of a user on rows of a task. A large act consists of several reviews, each in its own
// transaction.
type Review struct {
	Num    int64           // of the task
	By     string          // the actor
	Detail json.RawMessage // further facts for the audit log, such as a filter; JSON, may be empty
	Rows   []Decision      // of different rows; a few thousand at most, since they are locked

	// ActID is the id of the act to which the review belongs. If it is empty, the review cannot be
	// undone. The field Act is the name of the act, such as skip. Undoes is the act that the review
	// undoes; nil if it undoes none.
	ActID  string
	Act    string
	Undoes *Act

	// Rerun is the common id of all reviews of one resubmission. Default: ActID.
	Rerun string

	// Fix holds the texts that the act replaces; nil if it replaces none.
	Fix *Fix

	// Keys is the rule of the task for rows with the same key.
	Keys KeyRule

	// Hashed reports whether Event.KeyHash of the rows is set, so that their keys can be found by hash.
	// This is true for kinds whose rows are ordered.
	Hashed bool

	// Heirs receives the ids of open rows that take over the key of another row in the review. Nil means
	// that the caller does not need them.
	Heirs map[events.ID]bool

	// Anyway reports whether a resubmitted row runs even if a newer row of its key has finished. Otherwise,
	// such a row ends as Superseded.
	Anyway bool
}

// Decide makes all decisions of a review that still apply. One transaction contains the decisions, the
// counts of the task, the error groups and the audit log. The result reports for each decision whether it
// was made. A decision about a row that has changed is not made.
//
// A review with resubmitted rows starts another round of the task. If the task is done, the task and its
// ancestors run again. A second call with the same review has no effect. Decide returns events.ErrClosed if
// the task is canceled, being canceled, refused as a whole, purged or missing.
func (s *Store) Decide(ctx context.Context, r Review) (made []bool, err error) {
	if len(r.Rows) == 0 {
		return nil, nil
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		made, err = s.decide(ctx, tx, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("decisions: review of task %d: %w", r.Num, events.ValueRejected(err))
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

// lockTask locks the task and returns its lane. It returns events.ErrClosed if the task is canceled, being
// canceled, refused as a whole, purged or missing.
func (s *Store) lockTask(ctx context.Context, tx ledger.Tx, num int64) (lane events.Lane, err error) {
	held, err := ledger.Row(ctx, tx, decideHoldSQL, ledger.Args{"num": num}, &lane.Tenant, &lane.Kind)
	if err == nil && !held {
		err = events.ErrClosed
	}
	return lane, err
}

func changed(list []decided) []events.Changed {
	out := make([]events.Changed, len(list))
	for i := range list {
		out[i] = events.Changed{Old: &list[i].old, New: &list[i].new}
	}
	return out
}

// rerun returns the rows that decisions resubmit, with their state before the decisions.
func (r *Review) rerun(list []decided) events.Rerun {
	out := events.Rerun{Num: r.Num, Anyway: r.Anyway}
	for i := range list {
		if list[i].Resolution == events.Resubmitted {
			out.Rows = append(out.Rows, &list[i].old)
		}
	}
	return out
}

// decided is a decision with its row before and after the decision.
type decided struct {
	Decision
	at  int
	old events.Event
	new events.Event
	now int64 // unix ms

	ranBy events.Runner // of a row that finished
}

// load reads the rows of a review. It leaves out decisions about rows that have changed. About a
// finished row, it keeps only a resubmission without an edit or an undo. It also leaves out decisions
// that set Alone if another row holds their key.
func (s *Store) load(ctx context.Context, tx ledger.Tx, r Review, lane events.Lane) ([]decided, error) {
	rows, err := readDecided(ctx, tx, r.Rows)
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
		delete(rows, d.ID) // a second decision about the row does not apply
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
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return uncontested(ctx, tx, r.Num, lane, out)
}

// apply sets the fields of the row after the decision.
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
	e.Messages = textutil.Optional(events.NoteLines(append(d.missingNotes(), d.note(by))))
}

// missingNotes returns the note about the status that the decision replaces, if the message log lacks
// this note. The log lacks the notes of rows that finished, and of rows that were invalid in their file.
func (d *decided) missingNotes() []events.Note {
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

// readDecided locks the rows that `list` names, and returns those with the status failed, error or finish.
// It leaves out rows that finished without a run, and rows whose contents were deleted.
func readDecided(ctx context.Context, tx ledger.Tx, list []Decision) (map[events.ID]events.Event, error) {
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
