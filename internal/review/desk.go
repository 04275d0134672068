package review

import (
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrMoved means that the row has changed since it was read: read it again.
	ErrMoved = errors.New("the row has changed meanwhile")

	// ErrStatus means that the row is neither failed nor in error, so it cannot be repaired.
	ErrStatus = errors.New("the row is not to be repaired as it stands")

	// ErrKind means that this program lacks the kind of the task.
	ErrKind = errors.New("kind is not known here")
)

// ColumnError is an invalid edit of a cell.
type ColumnError struct {
	Column string
	Detail string // for people
}

// Error returns column and detail.
func (e *ColumnError) Error() string { return e.Column + ": " + e.Detail }

// Cells are new texts by column, named by the kind or the row; nil clears a cell.
type Cells map[string]*string

// Options configures a Desk. The zero value works.
type Options struct {
	// Now returns the time that separates failures before and after a press. Default time.Now.
	Now func() time.Time
}

// Desk applies users' decisions. Make it with New; it is safe for concurrent use.
type Desk struct {
	events    *events.Store
	decisions *decisions.Store
	kinds     *jobs.Registry
	now       func() time.Time
}

// New returns a desk for the kinds of a registry.
func New(es *events.Store, kinds *jobs.Registry, opt Options) *Desk {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Desk{es, decisions.New(es), kinds, opt.Now}
}

// judgeOf returns the judge of the rows of a task, or an error if the task is closed or its kind is
// unknown.
func (d *Desk) judgeOf(t *tasks.Task, dry bool) (*Judge, error) {
	if Closed(t) {
		return nil, fmt.Errorf("review: task %q: %w", t.ID, events.ErrClosed)
	}
	kind, ok := d.kinds.Kind(t.Kind)
	if !ok {
		return nil, fmt.Errorf("review: task %q: %w", t.ID, ErrKind)
	}
	return NewJudge(kind, t, d.decisions, dry), nil
}

// Closed reports whether the rows of a task can no longer be changed. The task was canceled, or
// none of its rows was to run because of invalid rows or an unreadable file.
func Closed(t *tasks.Task) bool {
	return t.Status == tasks.Canceling || t.Status == tasks.Canceled || t.Hold == tasks.HoldRefused
}
