package rows

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowacts"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// CancelTotal is the outcome of one step of CancelOverTasks.
type CancelTotal struct {
	reconcile.RowsCanceled
	Tasks int   // number of tasks with matching rows
	Next  int64 // Before of the next step; 0: the act has reached all tasks
}

// CancelRows cancels those waiting rows of a task that match the selection. It returns a problem if the
// task has ended, is being canceled, or is an export.
func (s *Service) CancelRows(ctx context.Context, t *tasks.Task, c CancelAct) (reconcile.RowsCanceled, error) {
	if t.Type == tasks.Export {
		return reconcile.RowsCanceled{}, problem.New(http.StatusConflict, "WRONG_STATUS", "The parts of an export make one file: cancel the task.")
	}
	if t.Status.Done() || t.Status == tasks.Canceling {
		return reconcile.RowsCanceled{}, WrongStatus(Transition{Condition: "Only rows of an unfinished task can be canceled"}, t.Status)
	}
	act, err := s.beginCancel(ctx, c)
	if err != nil {
		return reconcile.RowsCanceled{}, err
	}
	_, err = act.Add(ctx, t, s.matcher(t, c))
	out, ended := act.End(ctx)
	s.canceled(ctx, t, c)
	return out, errors.Join(err, ended)
}

// CancelOverTasks cancels the matching waiting rows of the tasks that `r` selects, newest task first. It
// executes one step, which reads at most stepTasks tasks. The caller continues with Reach.Before =
// CancelTotal.Next.
func (s *Service) CancelOverTasks(ctx context.Context, r Reach, c CancelAct) (out CancelTotal, err error) {
	q := r.search()
	list, next, err := s.Tasks.Search(ctx, auth.Tenant(ctx), q)
	if err != nil {
		return out, err
	}
	act, err := s.beginCancel(ctx, c)
	if err != nil {
		return out, err
	}
	out.Next = next
	read := int64(0)
	for i := range list {
		t := &list[i]
		if !cancelable(t) {
			continue
		}
		n, failed := act.Add(ctx, t, s.matcher(t, c))
		if read += t.Enqueue; n > 0 {
			out.Tasks++
			defer s.canceled(ctx, t, c)
		}
		if err = failed; err != nil {
			out.Next = t.Num + 1
			break
		}
		if read >= stepRows && i < len(list)-1 {
			out.Next = t.Num
			break
		}
	}
	sum, ended := act.End(ctx)
	out.RowsCanceled = sum
	return out, errors.Join(err, ended)
}

// cancelable reports whether a task may have waiting rows that CancelOverTasks can cancel. Exports,
// tasks that are being canceled, and tasks of package rowacts have no such rows.
func cancelable(t *tasks.Task) bool {
	return t.Enqueue > 0 && t.Type != tasks.Export && t.Status != tasks.Canceling && t.Kind != rowacts.Name
}

func (s *Service) beginCancel(ctx context.Context, c CancelAct) (*reconcile.RowCancel, error) {
	detail, err := json.Marshal(c.Detail)
	if err != nil {
		return nil, err
	}
	c.Filter.Brief = c.Query == ""
	canceler := reconcile.NewRowCanceler(s.Tasks, s.Events, s.Queue, reconcile.CancelerOptions{Grace: s.CancelGrace, Now: s.Now})
	return canceler.Begin(reconcile.Selection{
		Filter: c.Filter, By: auth.Actor(ctx), Detail: audit.Detail{Request: detail, Note: c.Note}, DryRun: c.DryRun,
	}), nil
}

// matcher returns a function that reports whether a row contains the text c.Query.
func (s *Service) matcher(t *tasks.Task, c CancelAct) reconcile.Match {
	kind, _ := s.Kinds.Kind(t.Kind)
	return review.Matcher(kind, c.Query)
}

// canceled invalidates the cached task, and wakes the feeder, which pushes other rows instead of the
// canceled ones. It does nothing in a dry run.
func (s *Service) canceled(ctx context.Context, t *tasks.Task, c CancelAct) {
	if c.DryRun {
		return
	}
	s.Cache.Invalidate(t.Tenant, t.ID)
	s.Wake(context.WithoutCancel(ctx), jobs.FeedTopic)
}
