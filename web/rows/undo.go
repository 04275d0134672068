package rows

import (
	"context"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// UndoRequest is the body of POST /tasks/{id}/undo.
type UndoRequest struct {
	ActID  string `json:"act_id"`
	DryRun bool   `json:"dry_run"`
}

// Undo undoes an act on rows of a task. The argument `by` is the caller. For an unknown act or an act of
// another caller, Undo returns ErrNothingToUndo.
func (s *Service) Undo(ctx context.Context, t *tasks.Task, by string, in UndoRequest) (review.Outcome, error) {
	act, err := decisions.New(s.Events).Act(ctx, t.Num, in.ActID)
	if err != nil {
		return review.Outcome{}, err
	}
	if act == nil || act.Actor != by {
		return review.Outcome{}, ErrNothingToUndo
	}
	out, err := s.Reviewer().Undo(ctx, t, review.Undo{By: by, Act: act, DryRun: in.DryRun})
	s.Cache.Invalidate(t.Tenant, t.ID)
	if err != nil {
		return out, ReviewProblem(err, nil, "")
	}
	return out, nil
}

// RunAct immediately runs the delayed rows of an act of the caller. It returns ErrNothingToUndo for
// an unknown act, an act of another caller, or an act whose undo has begun.
func (s *Service) RunAct(ctx context.Context, t *tasks.Task, id string) (review.Outcome, error) {
	act, err := decisions.New(s.Events).Act(ctx, t.Num, id)
	if err != nil {
		return review.Outcome{}, err
	}
	if act == nil || act.Actor != auth.Actor(ctx) || act.UndoneBy != "" {
		return review.Outcome{}, ErrNothingToUndo
	}
	out, err := s.Reviewer().RunAct(ctx, t, act)
	s.Cache.Invalidate(t.Tenant, t.ID)
	if out.Resubmitted > 0 {
		s.Wake(ctx, jobs.FeedTopic)
	}
	return out, err
}

var errUndone = problem.New(http.StatusConflict, "WRONG_STATUS",
	"The action was undone. Send the change as another action.")

// ErrNothingToUndo is the problem that an id names no act of the caller that can be undone.
var ErrNothingToUndo = problem.BadMember("act_id", http.StatusUnprocessableEntity,
	"This ID names no action of yours on this task that can be undone.")
