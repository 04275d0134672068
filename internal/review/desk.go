package review

import (
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrMoved means that the row is not as it was read: read it again.
	ErrMoved = errors.New("the row has changed meanwhile")

	// ErrStatus means that the row neither failed nor is in error: there is
	// nothing to repair.
	ErrStatus = errors.New("the row is not to be repaired as it stands")

	// ErrKind means that this program does not know the kind of the task.
	ErrKind = errors.New("kind is not known here")
)

// ColumnError is an edit of a cell that cannot be kept.
type ColumnError struct {
	Column string
	Detail string // in plain words
}

// Error tells column and detail.
func (e *ColumnError) Error() string { return e.Column + ": " + e.Detail }

// Cells are new texts by column, as the kind or the row calls it; nil clears.
type Cells map[string]*string

// Options tunes a Desk. The zero value works.
type Options struct {
	// Now tells the time by which rows are found to have failed before a press.
	// Default time.Now.
	Now func() time.Time
}

// Desk is where people's decisions come in. Make it with New; it is safe for
// concurrent use.
type Desk struct {
	events *events.Store
	kinds  *worker.Registry
	now    func() time.Time
}

// New returns a desk for the kinds of a registry.
func New(es *events.Store, kinds *worker.Registry, opt Options) *Desk {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Desk{es, kinds, opt.Now}
}

// judgeOf returns the judge of the rows of a task, or an error if nothing can be decided
// about them.
func (d *Desk) judgeOf(t *tasks.Task, dry bool) (*Judge, error) {
	if Closed(t) {
		return nil, fmt.Errorf("review: task %q: %w", t.ID, events.ErrClosed)
	}
	kind, ok := d.kinds.Kind(t.Kind)
	if !ok {
		return nil, fmt.Errorf("review: task %q: %w", t.ID, ErrKind)
	}
	return NewJudge(kind, t, d.events, dry), nil
}

// Closed tells that nothing can be decided about the rows of a task any more: it was
// canceled, or none of its rows was to run, for not all were valid or its file could
// not be read to its end.
func Closed(t *tasks.Task) bool {
	return t.Status == tasks.Canceling || t.Status == tasks.Canceled || t.Hold == tasks.HoldRefused
}
