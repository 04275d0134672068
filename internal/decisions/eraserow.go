package decisions

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/words"
)

var (
	//go:embed sql/erase_row.sql
	eraseRowSQL string
	//go:embed sql/erase_edits.sql
	eraseEditsSQL string
	//go:embed sql/erase_was.sql
	eraseWasSQL string
	//go:embed sql/erase_fault.sql
	eraseFaultSQL string
)

// actEraseRow is the name of EraseRow in audit entries.
const actEraseRow = "delete-row"

// Erasure holds a row whose contents are to be deleted.
type Erasure struct {
	ID     events.ID
	Tenant string // of the task
	JobID  string // public id of the row
	By     string // the actor

	// Keys is the rule of the task for rows with the same key. Hashed reports whether the rows have a key
	// hash.
	Keys   KeyRule
	Hashed bool

	// Also is called in the transaction that deletes the contents. If the transaction is retried, Also is
	// called again. Default: none.
	Also func(ctx context.Context, tx ledger.Tx) error
}

// erased returns the failure of a row whose contents were deleted.
func erased() *events.Failure {
	const sentence = "row.erased"
	return &events.Failure{
		Code: events.CodeErased, Message: words.English(sentence, nil),
		Args: events.Args("").With(map[string]string{events.Sentence: sentence}),
	}
}

// EraseRow deletes the cells, the result and the notes of a row of a task that is done. It keeps the
// number, the status and the times of the row, so the counts of the task stay correct. The audit logs keep
// the actor, the row and the time of the deletion.
//
// Afterwards, a row that failed or ended in error counts as skipped, except a superseded row. If users can
// still decide about rows of the task, the heir of the key replaces the deleted row. A row that ran and
// finished keeps the hash of its lane and key, so no older row of the key runs later.
//
// EraseRow is a no-op if the contents of the row were deleted before, or if the row does not exist. It
// returns events.ErrClosed if the task is not done, was purged, or does not exist.
func (s *Store) EraseRow(ctx context.Context, x Erasure) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		lane, closed, err := holdDone(ctx, tx, x.ID.Num())
		if err != nil {
			return err
		}
		one := x
		if closed {
			one.Keys = ""
		}
		return s.eraseRow(ctx, tx, one, lane)
	})
	if err != nil {
		return fmt.Errorf("decisions: erase row %d: %w", x.ID, err)
	}
	return nil
}

func (s *Store) eraseRow(ctx context.Context, tx ledger.Tx, x Erasure, lane events.Lane) error {
	old, err := readFull(ctx, tx, x.ID)
	if err != nil || old == nil {
		return err
	}
	gone := decided{Decision: Decision{ID: x.ID}, old: *old, new: emptiedRow(old), now: s.now().UnixMilli()}
	heirs, err := s.replaceRow(ctx, tx, x, lane, gone)
	if err != nil {
		return err
	}
	if err := empty(ctx, tx, old, lane); err != nil {
		return err
	}
	if err := events.CountChanged(ctx, tx, x.ID.Num(), changed(append(heirs, gone))); err != nil {
		return err
	}
	if err := eraseFaults(ctx, tx, old); err != nil {
		return err
	}
	if x.Also != nil {
		if err := x.Also(ctx, tx); err != nil {
			return err
		}
	}
	entry := audit.Entry{
		Subject: audit.Task(x.ID.Num()), At: s.now().UnixMilli(), Actor: x.By, Act: actEraseRow, Seq: x.ID.Seq(), Touched: 1,
	}
	ops := entry
	ops.Subject, ops.Target, ops.Seq = audit.Operators(x.Tenant), x.JobID, 0
	return audit.Write(ctx, tx, entry, ops)
}

// emptied returns the resolution of a row after the deletion of its contents.
func emptied(e *events.Event) events.Resolution {
	switch {
	case !e.Status.Bad():
		return ""
	case e.StoredResolution() == events.Superseded:
		return events.Superseded
	}
	return events.Skipped
}

// eraseFaults removes from error groups the fault texts that come from a row. It replaces them by texts of
// other rows.
func eraseFaults(ctx context.Context, tx ledger.Tx, e *events.Event) error {
	found, num := false, e.ID.Num()
	for _, n := range e.Notes() {
		if !n.IsFault() {
			continue
		}
		found = true
		args := ledger.Args{"num": num, "fault": n.FaultText(""), "other": n.FaultText(events.OtherPrint)}
		if _, err := tx.Exec(ctx, eraseFaultSQL, args); err != nil {
			return err
		}
	}
	if !found {
		return nil
	}
	return events.ExplainGroups(ctx, tx, num)
}

// emptiedRow returns the row in its state after the deletion, for the counts of the task.
func emptiedRow(e *events.Event) events.Event {
	out, code, res := *e, events.CodeErased, emptied(e)
	out.Code, out.Col, out.Print, out.Resolution = &code, nil, nil, &res
	return out
}

// empty deletes the contents of a row from the tables of rows, audit entries, acts and checkpoints.
func empty(ctx context.Context, tx ledger.Tx, e *events.Event, lane events.Lane) error {
	f := erased()
	args := ledger.Args{
		"id": int64(e.ID), "message": f.Message, "fields": f.FieldsJSON(), "resolution": string(emptied(e)),
		"hash": heldHash(e, lane), "subject": audit.Task(e.ID.Num()), "seq": e.ID.Seq(),
	}
	for _, text := range []string{eraseRowSQL, eraseEditsSQL, eraseFixesSQL, eraseWasSQL} {
		if _, err := tx.Exec(ctx, text, args); err != nil {
			return err
		}
	}
	return events.ForgetCheckpoints(ctx, tx, e.ID, e.ID)
}
