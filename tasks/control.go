package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/pause.sql
	pauseSQL string
	//go:embed sql/resume.sql
	resumeSQL string
	//go:embed sql/stir.sql
	stirSQL string
	//go:embed sql/cancel.sql
	cancelSQL string
)

// ErrStatus means that the status of a task does not allow the action. errors.As finds a *StatusError
// with the status.
var ErrStatus = errors.New("the status of the task does not allow this")

// StatusError is an ErrStatus with the status of the task.
type StatusError struct{ Status Status }

// Error returns a text with the status of the task.
func (e *StatusError) Error() string { return fmt.Sprintf("%v: it is %s", ErrStatus, e.Status) }

// Is reports whether `target` is ErrStatus.
func (e *StatusError) Is(target error) bool { return target == ErrStatus }

// Pause stops the feeding of a task that is Open, Splitting or Running. The splitter continues to
// read the file, and jobs already in Redis still run. Pause returns ErrNotFound if the tenant has
// no such task, ErrExpired if the task was purged, and ErrStatus if it has another status.
func (s *Store) Pause(ctx context.Context, tenant, id string) error {
	return s.control(ctx, tenant, id, change{ActPause, pauseSQL, s.placeFeed, 0})
}

// Resume feeds a Paused task again. If all its rows are known, it also lifts HoldBlock. A row does not
// run, and ends as superseded, if a newer row of its key has finished in another task meanwhile. Resume
// returns the same errors as Pause.
func (s *Store) Resume(ctx context.Context, tenant, id string) error {
	return s.control(ctx, tenant, id, change{ActResume, resumeSQL, s.placeFeed, lateSuperseded})
}

// ResumeAnyway is like Resume, but rows also run if a newer row of their key has finished in another task.
// A row with a version does not run if a greater version has finished in its own task, or in another task
// after the resume. For a resubmitted row, the choice made at its resubmission applies. Rows that ended as
// superseded do not run again.
func (s *Store) ResumeAnyway(ctx context.Context, tenant, id string) error {
	return s.control(ctx, tenant, id, change{ActResume, resumeSQL, s.placeFeed, lateAnyway})
}

// These are the values of column `late`. They determine whether rows of a resumed task run if a
// newer row of their key has finished in another task.
const (
	lateSuperseded = 1 // they do not run
	lateAnyway     = 2 // they run
)

// Cancel begins to cancel a task that is Open, Splitting, Running or Paused. From the commit on, no process
// adds or feeds rows of the task. Before a worker runs a job of the tenant from Redis, it reads the state
// of the job. reconcile.Canceler cancels the rows. The task ends once its last job is at rest, usually as
// Canceled. If resubmitted rows were canceled, the statuses of all rows determine the status of the task.
// Cancel returns the same errors as Pause.
func (s *Store) Cancel(ctx context.Context, tenant, id string) error {
	return s.control(ctx, tenant, id, change{ActCancel, cancelSQL, s.stop, 0})
}

// change is an action on a task: its name in the audit log, its statement, and the further changes in
// the same transaction.
type change struct {
	act  string
	text string
	then func(context.Context, ledger.Tx, int64) error
	late int // for the statement; 0 if it has no such argument
}

func (c change) args(tenant, id string, now int64) ledger.Args {
	args := ledger.Args{"id": id, "tenant": tenant}
	if c.late != 0 {
		args["late"], args["now"] = c.late, now
	}
	return args
}

// placeFeed updates the place of a task's feed in its lane, after a pause or resume.
func (s *Store) placeFeed(ctx context.Context, tx ledger.Tx, num int64) error {
	// The statement also locks the lane. Feeders, too, lock the lane before the feed.
	_, err := tx.Exec(ctx, stirSQL, ledger.Args{"num": num, "now": s.now().UnixMilli()})
	if err == nil {
		err = feedrow.Place(ctx, tx, s.now(), num)
	}
	return err
}

// control changes the status of a task, and makes the other changes of `way` in the same
// transaction.
func (s *Store) control(ctx context.Context, tenant, id string, way change) error {
	num := int64(0)
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		num = 0
		_, err := ledger.Row(ctx, tx, way.text, way.args(tenant, id, s.now().UnixMilli()), &num)
		if err != nil || num == 0 {
			return err
		}
		if err := s.note(ctx, tx, num, way.act); err != nil {
			return err
		}
		return way.then(ctx, tx, num)
	})
	if err != nil {
		return fmt.Errorf("tasks: control %q: %w", id, err)
	}
	if num != 0 {
		return nil
	}
	t, err := s.Get(ctx, tenant, id)
	if err != nil {
		return err
	}
	return fmt.Errorf("tasks: control %q: %w", id, &StatusError{t.Status})
}
