package events

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// ErrClosed means that nothing can be decided about the rows of a task: it is
// canceled or being so, refused as a whole, purged, or not there.
var ErrClosed = errors.New("the rows of the task are closed")

// Decision is what a person has decided about one row that failed or is in
// error; a row that finished can only be resubmitted, as it is. It is made only if the event has still the version it was made for,
// so nothing that others did meanwhile is overwritten.
type Decision struct {
	ID      ID
	Version int

	// Resolution is what becomes of it. Resubmitted has it run once more: with
	// all its retries, before the rows of its key that wait still.
	Resolution Resolution

	// Edit changes its params; nil keeps them.
	Edit *Edit

	// Alone is for a row that must be the only one of its task with its key. The
	// decision comes late if another row holds the key by now: see Holders.
	Alone bool

	// Restore has the row stand as an act found it, but for its cells: see Edit. The
	// Resolution is Restore.State then. Nil: the row is judged anew.
	Restore *Was

	// Note says why, in the words of the person; may be empty.
	Note string
}

// Edit is new params of a row, and what is known of them.
type Edit struct {
	Params json.RawMessage
	Key    string   // the ordering key that they mean
	Fault  *Failure // what is wrong with them; nil: nothing that is known

	Before, After map[string]*string // the cells that change; nil: empty
}

// Review is one act of a person on rows of a task.
type Review struct {
	Num    int64           // of the task
	By     string          // who
	Detail json.RawMessage // what is noted of it beside the rows, such as a filter; JSON, may be empty
	Rows   []Decision      // of different rows; some thousands at most, for they are locked

	// Press is the id of the act that the review is part of, so that it can be undone: see
	// Act. Empty: it cannot. Act is how Act.Act calls it, Undoes the act that it undoes.
	Press  string
	Act    string
	Undoes *Act

	// Keys is the rule of the task for rows of one key.
	Keys KeyRule

	// Hashed says that the rows of the task are found by Lane.Hash: their kind is ordered.
	Hashed bool

	// Heirs, if not nil, gets the rows that were open and count from now on for a key that
	// the review has taken from another row.
	Heirs map[ID]bool

	// Anyway has rows that are resubmitted run even if a newer row of their key
	// has finished. Without it such a row ends as Superseded.
	Anyway bool
}

// Decide makes all decisions that still apply, in one transaction with the
// counts of the task, their causes, and the audit. The first row that is
// resubmitted sets a task that is done running again, for another round, and
// its parents with it. It tells which decisions were made: the others came
// late, and changed nothing. Repeating it is harmless. After ErrClosed nothing
// was changed.
func (s *Store) Decide(ctx context.Context, r Review) (made []bool, err error) {
	if len(r.Rows) == 0 {
		return nil, nil
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		made, err = s.decide(ctx, tx, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("events: review of task %d: %w", r.Num, unfit(err))
	}
	return made, nil
}

func (s *Store) decide(ctx context.Context, tx ledger.Tx, r Review) ([]bool, error) {
	lane, err := s.hold(ctx, tx, r.Num)
	if err != nil {
		return nil, err
	}
	rulings, err := s.rulings(ctx, tx, r, lane)
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
	if err := s.runAgain(ctx, tx, r, rulings); err != nil {
		return nil, err
	}
	if err := shift(ctx, tx, r.Num, rulings); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, unblockSQL, ledger.Args{"num": r.Num}); err != nil {
		return nil, err
	}
	if err := s.keepAct(ctx, tx, r, rulings); err != nil {
		return nil, err
	}
	return made, s.writeAudit(ctx, tx, r, rulings)
}

// hold locks the task and returns its lane.
func (s *Store) hold(ctx context.Context, tx ledger.Tx, num int64) (lane Lane, err error) {
	held, err := ledger.Row(ctx, tx, decideHoldSQL, ledger.Args{"num": num}, &lane.Tenant, &lane.Kind)
	if err == nil && !held {
		err = ErrClosed
	}
	return lane, err
}

// ruling is a decision beside the row it is about: before, and as it will be.
type ruling struct {
	Decision
	at  int
	old Event
	new Event
	now int64 // unix ms

	ranBy Runner // of a row that finished
}

// rulings reads the rows, and leaves out the decisions that come late.
func (s *Store) rulings(ctx context.Context, tx ledger.Tx, r Review, lane Lane) ([]ruling, error) {
	rows, err := readBad(ctx, tx, r.Rows)
	if err != nil {
		return nil, err
	}
	now := s.now().UnixMilli()
	var out []ruling
	for i, d := range r.Rows {
		old, ok := rows[d.ID]
		if !ok || old.Version != d.Version || d.ID.Num() != r.Num {
			continue
		}
		delete(rows, d.ID) // a second decision about it comes late
		one := ruling{Decision: d, at: i, old: old, now: now}
		if old.Status == Finish {
			if d.Resolution != Resubmitted || d.Edit != nil || d.Restore != nil {
				continue
			}
			if one.ranBy, err = s.Runner(ctx, old.RanBy); err != nil {
				return nil, err
			}
		}
		one.rule(r.By)
		one.new.KeyHash = lane.Hash(one.new.Key)
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b ruling) int { return int(a.ID.Seq() - b.ID.Seq()) })
	return uncontested(ctx, tx, r.Num, lane, out)
}

// rule says how the row will be.
func (d *ruling) rule(by string) {
	d.new = d.old
	e := &d.new
	res := Resolution(d.Resolution.stored())
	e.Resolution, e.ResolvedBy, e.ResolvedAt = &res, &by, &d.now
	e.ResolutionNote = textutil.Optional(storable(d.Note, maxText))
	if d.Edit != nil {
		e.Params, e.Key = string(d.Edit.Params), d.Edit.Key
		e.fault(d.Edit.Fault)
	}
	if d.Restore != nil {
		d.Restore.into(e)
	}
	if d.Resolution == Resubmitted {
		e.Status = Enqueue
		e.Code, e.Col, e.Value, e.Message, e.Hint, e.Fields, e.Print = nil, nil, nil, nil, nil, nil, nil
	}
	note := Move{Notes: append(d.past(), Note{
		At: d.now, Attempt: e.Attempt, Status: e.Status, Text: storable(d.text(by), maxText),
	})}
	e.Messages = textutil.Optional(note.note())
}

// past returns the note of an attempt that no note has recorded, and that the decision
// replaces: that of a row that finished, or that was invalid in its file.
func (d *ruling) past() []Note {
	e := &d.old
	if e.Status == Finish {
		return []Note{e.finished(d.ranBy)}
	}
	replaced := d.Resolution == Resubmitted || d.Edit != nil && d.Edit.Fault != nil
	if !replaced || e.Attempt > 0 || e.Status != Failed || textutil.Deref(e.Code) == CodeSuperseded {
		return nil
	}
	return []Note{{
		At: textutil.Deref(e.FinishedAt), Status: e.Status,
		Ended: &Ending{Outcome: BusinessFault, Faults: e.Faults()},
	}}
}

// finished is the note of the attempt that finished the row.
func (e *Event) finished(by Runner) Note {
	a := e.present(by)
	return Note{
		At: a.EndedAt, Attempt: a.N, Status: Finish, Worker: by.Worker, Build: by.Build, Duration: a.EndedAt - a.StartedAt,
		Ended: &Ending{
			Outcome: Finished, QueuedAt: a.QueuedAt, StartedAt: a.StartedAt, Result: json.RawMessage(a.Result),
		},
	}
}

// fault puts what is wrong with a row into it. Of a row of which nothing is
// known to be wrong any more, the cause stays, and has no fields.
func (e *Event) fault(f *Failure) {
	if f == nil {
		e.Fields = textutil.Optional("[]")
		return
	}
	c := f.clean()
	e.Code, e.Col, e.Value = textutil.Optional(c.Code), textutil.Optional(c.Column), textutil.Optional(c.Value)
	e.Message, e.Hint, e.Fields = textutil.Optional(c.Message), textutil.Optional(c.Hint), textutil.Optional(c.fields())
	e.Print = nil
}

// Faultless tells that a bad row was edited, and that nothing is known to be
// wrong with it since.
func (e *Event) Faultless() bool { return e.Fields != nil && *e.Fields == "[]" }

// readBad reads the bad ones of the rows, and locks them.
func readBad(ctx context.Context, tx ledger.Tx, list []Decision) (map[ID]Event, error) {
	ids := make([]int64, len(list))
	for i, d := range list {
		ids[i] = int64(d.ID)
	}
	out := make(map[ID]Event, len(list))
	err := tx.Query(ctx, decideReadSQL, ledger.Args{"ids": ids}, func(scan ledger.Scan) error {
		var e Event
		err := scan(&e.ID, &e.Row, &e.Version, &e.Status, &e.Attempt, &e.Key, &e.Code, &e.Col,
			&e.Value, &e.Message, &e.Hint, &e.Fields, &e.Resolution, &e.ResolvedBy, &e.ResolvedAt,
			&e.ResolutionNote, &e.Print, &e.Result,
			&e.QueuedAt, &e.StartedAt, &e.FinishedAt, &e.RanBy)
		out[e.ID] = e
		return err
	})
	return out, err
}
