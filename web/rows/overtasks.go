package rows

import (
	"context"
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowacts"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Reach is a selection of the tasks of the caller's tenant that an act may change.
type Reach struct {
	Kind   string // "": all kinds
	Since  int64  // created at that time or later, unix ms
	Until  int64  // created before that time, unix ms; 0: at any time
	Before int64  // only tasks with a lesser number, to continue an act; 0: from the newest
}

func (r Reach) search() tasks.Search {
	return tasks.Search{Kind: r.Kind, Since: r.Since, Until: r.Until, Before: r.Before, Limit: stepTasks}
}

// One step of OverTasks reads at most stepTasks tasks. After stepRows rows, the step stops at the end
// of a task.
const (
	stepTasks = 200
	stepRows  = 50_000
)

// Total is the result of one step of OverTasks, or the sum of several steps.
type Total struct {
	review.Outcome
	Tasks  int   // number of tasks with selected rows
	Closed int   // tasks whose rows can no longer be changed
	Next   int64 // Before of the next step; 0: all tasks are done or, after an error, the beginning
}

// OverTasks applies an act to the selected rows of the tasks that `r` selects, newest task first. It
// executes one step. The caller calls OverTasks again with Reach.Before = Total.Next, until Total.Next is
// 0. The changes of each task are a separate act, which the task's page shows and can undo.
func (s *Service) OverTasks(ctx context.Context, r Reach, p review.BulkAction) (t Total, err error) {
	p.Across = true
	list, next, err := s.Tasks.Search(ctx, auth.Tenant(ctx), r.search())
	if err != nil {
		t.Next = r.Before
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

// OverAllTasks repeats OverTasks until the act has reached all tasks. After an error, the caller
// continues with Reach.Before = Total.Next. If Total.Next is 0, the act begins with the newest task
// again.
func (s *Service) OverAllTasks(ctx context.Context, r Reach, p review.BulkAction) (sum Total, err error) {
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

// concerns reports whether a task may have rows that the act changes. A task that runs an act has no
// such rows.
func concerns(t *tasks.Task, p *review.BulkAction) bool {
	if t.Kind == rowacts.Name {
		return false
	}
	if len(p.Filter.Statuses) == 0 {
		return t.Failed+t.Error > 0
	}
	return slices.Contains(p.Filter.Statuses, events.Failed) && t.Failed > 0 ||
		slices.Contains(p.Filter.Statuses, events.Error) && t.Error > 0 ||
		slices.Contains(p.Filter.Statuses, events.Finish) && t.Finish > 0 && t.Type != tasks.Export
}

// add adds the counts of an act on one task to the total.
func (t *Total) add(out review.Outcome) {
	t.Matched, t.Done = t.Matched+out.Matched, t.Done+out.Done
	t.Resubmitted, t.StillInvalid = t.Resubmitted+out.Resubmitted, t.StillInvalid+out.StillInvalid
	t.Superseded, t.Moved = t.Superseded+out.Superseded, t.Moved+out.Moved
}
