package rows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowacts"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// StartBulk starts a task with the given name. The task applies an act to the selected rows of each task
// that `r` selects. It leaves out rows that end after this call.
func (s *Service) StartBulk(ctx context.Context, name string, r Reach, p review.BulkAction) (*tasks.Task, error) {
	p.Filter.EndedBy, p.Across = s.Now().UnixMilli(), true
	return s.startAct(ctx, name, r, rowacts.Order{Bulk: &p}, func(t *tasks.Task) bool { return concerns(t, &p) })
}

// StartCancel starts a task with the given name. The task cancels the matching waiting rows of each task
// that `r` selects.
func (s *Service) StartCancel(ctx context.Context, name string, r Reach, c CancelAct) (*tasks.Task, error) {
	detail, err := json.Marshal(c.Detail)
	if err != nil {
		return nil, err
	}
	order := rowacts.Cancel{
		Filter: c.Filter, Query: c.Query, By: auth.Actor(ctx), Detail: audit.Detail{Request: detail, Note: c.Note},
	}
	return s.startAct(ctx, name, r, rowacts.Order{Cancel: &order}, cancelable)
}

// startAct starts a task that has one row for each of the tasks that idsOf returns. If the act is too
// large for one task, startAct returns a problem.
func (s *Service) startAct(
	ctx context.Context, name string, r Reach, o rowacts.Order, concerned func(*tasks.Task) bool,
) (*tasks.Task, error) {
	ids, err := s.idsOf(ctx, r, concerned)
	if err != nil {
		return nil, err
	}
	t := &tasks.Task{Tenant: auth.Tenant(ctx), CreatedBy: auth.Actor(ctx), Name: name}
	err = rowacts.Starter{Tasks: s.Tasks, Events: s.Events, Keep: s.Retention}.Start(ctx, t, o, ids)
	if errors.Is(err, rowacts.ErrTooLarge) {
		return nil, problem.New(http.StatusUnprocessableEntity, "INVALID_FIELD", fmt.Sprintf(
			"The act is too large for a task, which has at most %d rows and %d MiB: send kind, or leave as_task out and follow next_cursor.",
			rowacts.MaxTasks, rowacts.MaxBytes>>20)).At("/as_task")
	}
	if err != nil {
		return nil, err
	}
	s.Wake(ctx, jobs.FeedTopic)
	return t, nil
}

// idsOf returns the ids of the tasks that `r` selects and for which the function `concerned` returns
// true. It stops when it has found more than rowacts.MaxTasks.
func (s *Service) idsOf(ctx context.Context, r Reach, concerned func(*tasks.Task) bool) (ids []string, err error) {
	for q := r.search(); ; {
		list, next, err := s.Tasks.Search(ctx, auth.Tenant(ctx), q)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if t := &list[i]; concerned(t) {
				ids = append(ids, t.ID)
			}
		}
		if q.Before = next; next == 0 || len(ids) > rowacts.MaxTasks {
			return ids, nil
		}
	}
}
