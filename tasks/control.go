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

// ErrStatus means that a task cannot be paused, resumed or canceled in its status. errors.As with a
// *StatusError returns the status.
var ErrStatus = errors.New("the task stands elsewhere")

// StatusError is an ErrStatus with the status of the task.
type StatusError struct{ Status Status }

// Error names the status.
func (e *StatusError) Error() string { return fmt.Sprintf("%v: it is %s", ErrStatus, e.Status) }

// Is reports whether target is ErrStatus.
func (e *StatusError) Is(target error) bool { return target == ErrStatus }

// Pause stops the feeding of a task that is Open, Splitting or Running. The splitter goes on reading
// its file, and jobs already in Redis still run. Pause returns ErrNotFound if the tenant has no such
// task, and ErrStatus in another status.
func (s *Store) Pause(ctx context.Context, tenant, id string) error {
	return s.turn(ctx, tenant, id, change{ActPause, pauseSQL, s.moved, 0})
}

// Resume feeds a Paused task again. A row whose key has finished a newer row meanwhile does not run:
// it ends as superseded. The errors are those of Pause.
func (s *Store) Resume(ctx context.Context, tenant, id string) error {
	return s.turn(ctx, tenant, id, change{ActResume, resumeSQL, s.moved, lateSuperseded})
}

// ResumeAnyway is like Resume, but superseded rows run, too.
func (s *Store) ResumeAnyway(ctx context.Context, tenant, id string) error {
	return s.turn(ctx, tenant, id, change{ActResume, resumeSQL, s.moved, lateAnyway})
}

// The handling of superseded rows of a task that was paused: the column late.
const (
	lateSuperseded = 1 // they do not run
	lateAnyway     = 2 // they run
)

// Cancel begins to cancel a task that is Open, Splitting, Running or Paused. After the commit the task
// is not read or fed any more. Workers then read the state of every job of the tenant in Redis before
// it runs. reconcile.Canceler does the rest. The task is Canceled once its last job is at rest. The
// errors are those of Pause.
func (s *Store) Cancel(ctx context.Context, tenant, id string) error {
	return s.turn(ctx, tenant, id, change{ActCancel, cancelSQL, s.stop, 0})
}

// change is a way to control a task: its name in the audit log, its statement, and its further
// changes.
type change struct {
	act  string
	text string
	then func(context.Context, ledger.Tx, int64) error
	late int // for the statement; 0 if it has no such argument
}

func (c change) args(tenant, id string) ledger.Args {
	args := ledger.Args{"id": id, "tenant": tenant}
	if c.late != 0 {
		args["late"] = c.late
	}
	return args
}

// moved gives the feed of a task the place of its new status.
func (s *Store) moved(ctx context.Context, tx ledger.Tx, num int64) error {
	// The held rows of the task become pushable, or stop being so. A feeder locks the lane first, too.
	_, err := tx.Exec(ctx, stirSQL, ledger.Args{"num": num, "now": s.now().UnixMilli()})
	if err == nil {
		err = feedrow.Place(ctx, tx, s.now(), num)
	}
	return err
}

// turn moves a task to another status, and makes the further changes in the same transaction.
func (s *Store) turn(ctx context.Context, tenant, id string, way change) error {
	num := int64(0)
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		num = 0
		_, err := ledger.Row(ctx, tx, way.text, way.args(tenant, id), &num)
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
