package rows

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// maxNote is the greatest length of the reason that a person gives for an act, in bytes.
const maxNote = 2000

// Reviewer returns the object that validates and stores repairs of rows.
func (s *Service) Reviewer() *review.Reviewer {
	return review.New(s.Events, s.Kinds, review.Options{Now: s.Now})
}

// stale returns the problem that a request would overwrite a newer version of a row.
func stale(e *events.Event) *problem.Problem {
	p := problem.New(http.StatusPreconditionFailed, "ROW_CHANGED",
		"The row has changed since you read it. Read it again.")
	p.Version = e.Version
	return p
}

// EventOf returns the row with the id `id`, and its task.
func (s *Service) EventOf(ctx context.Context, id string) (*tasks.Task, *events.Event, error) {
	taskID, seq, err := events.ParseJobID(id)
	if err != nil {
		return nil, nil, err
	}
	return s.RowOf(ctx, taskID, seq)
}

// RowOf returns the row with the number `seq` in a task of the caller's tenant, and the task.
func (s *Service) RowOf(ctx context.Context, taskID string, seq int64) (*tasks.Task, *events.Event, error) {
	t, err := s.Tasks.Get(ctx, auth.Tenant(ctx), taskID)
	if err != nil {
		return nil, nil, err
	}
	e, err := s.Events.Get(ctx, events.NewID(t.Num, seq))
	return t, e, err
}

// ChangedError is the error that a row has changed since the client has read it. The field Now holds the
// current row.
type ChangedError struct{ Now *events.Event }

func (r *ChangedError) Error() string { return "the row has changed" }

// EditRow applies a patch to a row and returns the changed row. The argument `seen` reports whether the
// client has read the current version of the row. If not, or if the row changes meanwhile, EditRow
// returns a *ChangedError.
func (s *Service) EditRow(
	ctx context.Context, t *tasks.Task, e *events.Event, seen bool, patch review.Patch,
) (*events.Event, error) {
	if !seen {
		return nil, &ChangedError{e}
	}
	now, err := s.Reviewer().Patch(ctx, t, e, patch)
	if errors.Is(err, review.ErrMoved) {
		if now, err = s.Events.Get(ctx, e.ID); err == nil {
			err = &ChangedError{now}
		}
	}
	if err != nil {
		return nil, err
	}
	s.Cache.Invalidate(t.Tenant, t.ID)
	return now, nil
}

// CheckNote returns the problem of a note that is too long, is not UTF-8, or has control characters
// other than tabs and line ends.
func CheckNote(note string) error {
	if len(note) > maxNote || review.CheckText(note) != "" {
		return problem.BadMember("note", http.StatusUnprocessableEntity,
			fmt.Sprintf("note is a text of at most %d bytes, without control characters.", maxNote))
	}
	return nil
}

// CheckReason validates a note with CheckNote. If `accepts` is true, it also rejects an empty note.
func CheckReason(accepts bool, note string) error {
	if accepts && strings.TrimSpace(note) == "" {
		return problem.BadMember("note", http.StatusUnprocessableEntity, "A row is accepted as it is with a reason: send it as note.")
	}
	return CheckNote(note)
}

// ReviewProblem converts an error from an edit of a row to the problem of the response. The
// argument `at` is the JSON pointer to the cells in the request. ReviewProblem returns unknown
// errors unchanged.
func ReviewProblem(err error, e *events.Event, at string) error {
	var column *review.ColumnError
	var changed *ChangedError
	switch {
	case errors.As(err, &changed):
		return stale(changed.Now)
	case errors.As(err, &column):
		if column.Column != "" {
			at += "/" + problem.Pointer(column.Column)
		}
		return problem.New(http.StatusUnprocessableEntity, "INVALID_CELL", column.Detail).At(at)
	case errors.Is(err, review.ErrStatus) && e.Erased():
		return problem.New(http.StatusConflict, "WRONG_STATUS", "The contents of this row were deleted, so that it cannot be repaired.")
	case errors.Is(err, review.ErrStatus):
		return problem.New(http.StatusConflict, "WRONG_STATUS", fmt.Sprintf(
			"Only a row with the status failed or error can be repaired; this row is %s.", e.Status))
	case errors.Is(err, decisions.ErrUndone):
		return errUndone
	case errors.Is(err, events.ErrClosed):
		return errClosed
	case errors.Is(err, review.ErrKind):
		return input.ErrUnknownKind
	}
	return err
}
