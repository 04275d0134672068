package rows

import (
	"context"
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Reach selects the tasks of the caller's tenant for an act.
type Reach struct {
	Kind   string // "": each
	Before int64  // only tasks with a lesser number, to continue an act; 0: from the newest
}

// Bounds of one step of an act over tasks: the most tasks that it reads, and the number of rows after
// which it ends with the present task.
const (
	stepTasks = 200
	stepRows  = 50_000
)

// Total is the result of a step of an act over tasks.
type Total struct {
	review.Outcome
	Tasks  int   // number of tasks with selected rows
	Closed int   // tasks whose rows can no longer be changed
	Next   int64 // Before of the next step; 0: the act has reached all tasks
}

// OverTasks applies an act to the rows that its filter selects, task by task, newest first. It does
// one step; the caller repeats it until Next is 0. The changes of each task are a separate act, which
// is in the history of the task and can be undone there.
func (s *Service) OverTasks(ctx context.Context, r Reach, p review.Press) (t Total, err error) {
	q := tasks.Search{Kind: r.Kind, Before: r.Before, Limit: stepTasks}
	list, next, err := s.Tasks.Search(ctx, auth.Tenant(ctx), q)
	if err != nil {
		return t, err
	}
	for i := range list {
		task := &list[i]
		if !concerns(task, &p) {
			continue
		}
		out, err := s.Bulk(ctx, task, p)
		switch {
		case errors.Is(err, events.ErrClosed), errors.Is(err, review.ErrKind):
			t.Closed++
			continue
		case err != nil:
			t.Next = task.Num + 1
			return t, err
		}
		if t.add(out); out.Matched > 0 {
			t.Tasks++
		}
		if t.Matched >= stepRows && i < len(list)-1 {
			t.Next = task.Num
			return t, nil
		}
	}
	t.Next = next
	return t, nil
}

// OverAllTasks repeats OverTasks until it has reached all tasks. Next is 0 unless it returns an error.
func (s *Service) OverAllTasks(ctx context.Context, r Reach, p review.Press) (sum Total, err error) {
	for {
		step, err := s.OverTasks(ctx, r, p)
		sum.add(step.Outcome)
		sum.Tasks, sum.Closed, sum.Next = sum.Tasks+step.Tasks, sum.Closed+step.Closed, step.Next
		if err != nil || step.Next == 0 {
			return sum, err
		}
		r.Before = step.Next
	}
}

// concerns reports whether a task has rows that the act may select.
func concerns(t *tasks.Task, p *review.Press) bool {
	if len(p.Filter.Statuses) == 0 {
		return t.Failed+t.Error > 0
	}
	return slices.Contains(p.Filter.Statuses, events.Failed) && t.Failed > 0 ||
		slices.Contains(p.Filter.Statuses, events.Error) && t.Error > 0 ||
		slices.Contains(p.Filter.Statuses, events.Finish) && t.Finish > 0
}

// add adds an outcome.
func (t *Total) add(out review.Outcome) {
	t.Matched, t.Done = t.Matched+out.Matched, t.Done+out.Done
	t.Resubmitted, t.StillInvalid = t.Resubmitted+out.Resubmitted, t.StillInvalid+out.StillInvalid
	t.Superseded, t.Moved = t.Superseded+out.Superseded, t.Moved+out.Moved
}
