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

// These are errors that callers may test for with errors.Is.
var (
	// ErrMoved means that the row has changed since the caller read it. Read it again.
	ErrMoved = errors.New("the row has changed meanwhile")

	// ErrStatus means that the row cannot be repaired: it is neither failed nor in error, or its
	// contents were deleted.
	ErrStatus = errors.New("the row cannot be repaired: it has not failed, or its contents were deleted")

	// ErrKind means that this program does not register the kind of the task, or that the kind is private.
	ErrKind = errors.New("this process does not register the kind")
)

// ColumnError is the error of an invalid edit of a cell.
type ColumnError struct {
	Column string
	Detail string // for people
}

// Error returns the column and the detail.
func (e *ColumnError) Error() string { return e.Column + ": " + e.Detail }

// Cells maps the name of a column to the new text of its cell. The column is one of the kind, the file or the
// row. A nil text clears the cell.
type Cells map[string]*string

// Options holds the settings of a Reviewer. The zero value is valid.
type Options struct {
	// Now returns the current time. Default time.Now.
	Now func() time.Time
}

// Reviewer is a validator and store of users' decisions about rows. Create it with New. It is safe for
// concurrent use.
type Reviewer struct {
	events    *events.Store
	decisions *decisions.Store
	kinds     *jobs.Registry
	now       func() time.Time
}

// New returns a reviewer for the kinds of a registry.
func New(es *events.Store, kinds *jobs.Registry, opt Options) *Reviewer {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Reviewer{es, decisions.New(es), kinds, opt.Now}
}

// validatorOf returns a validator for the rows of a task. It returns an error if the task is closed, or if
// its kind is unknown or private.
func (d *Reviewer) validatorOf(t *tasks.Task, dry bool) (*Validator, error) {
	if Closed(t) {
		return nil, fmt.Errorf("review: task %q: %w", t.ID, events.ErrClosed)
	}
	kind, ok := d.kinds.Kind(t.Kind)
	if !ok || kind.Private {
		return nil, fmt.Errorf("review: task %q: %w", t.ID, ErrKind)
	}
	return NewValidator(kind, t, d.decisions, dry), nil
}

// Closed reports whether the rows of a task can no longer be changed. They cannot be changed if the task
// was canceled, or if invalid rows or an unreadable file kept all its rows from running.
func Closed(t *tasks.Task) bool {
	return t.Status == tasks.Canceling || t.Status == tasks.Canceled || t.Hold == tasks.HoldRefused
}
