package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// eraseTask serves DELETE /tasks/{id}. It deletes the rows, files, results, audit log and stored
// responses of a task that is done. If a deletion fails after the commit, the request succeeds, and
// the retention deletes the rest.
func (s *Handlers) eraseTask(c *gin.Context) error {
	ctx, tenant, id := c.Request.Context(), request.Tenant(c), c.Param("id")
	left, err := s.Tasks.As(request.Actor(c)).Erase(ctx, tenant, id, func(ctx context.Context, tx ledger.Tx) error {
		err := s.Intake.Uploads.EraseIn(ctx, tx, tenant, id)
		if err != nil || s.Idempotency == nil {
			return err
		}
		return s.Idempotency.EraseIn(ctx, tx, tenant, id)
	})
	var stands *tasks.StatusError
	if errors.As(err, &stands) {
		return rows.WrongStatus(rows.Transition{Condition: "Only a task that is done can be deleted: cancel it first"}, stands.Status)
	}
	if err != nil {
		return err
	}
	s.Cache.Invalidate(tenant, id)
	if err := s.Rows.Sweep(context.WithoutCancel(ctx), left); err != nil {
		s.Log.ErrorContext(ctx, "the contents of a deleted task are not deleted completely: retention deletes the rest", "task", id, "err", err)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// eraseRow serves DELETE /events/{id}. It deletes the contents of a row of a task that is done. It also
// deletes the files and the stored responses of the task, because they contain the row. If the deletion
// of a file fails, the request fails, and the retention deletes the file later.
func (s *Handlers) eraseRow(c *gin.Context) error {
	t, e, err := s.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	rule, hashed := s.Rows.Reviewer().Keys(t)
	err = decisions.New(s.Events).EraseRow(ctx, decisions.Erasure{
		ID: e.ID, Tenant: t.Tenant, JobID: e.ID.JobID(t.ID), By: request.Actor(c), Keys: rule, Hashed: hashed,
		Also: func(ctx context.Context, tx ledger.Tx) error {
			err := s.Tasks.EraseFilesIn(ctx, tx, t.Num)
			if err != nil || s.Idempotency == nil {
				return err
			}
			return s.Idempotency.EraseAnswersIn(ctx, tx, t.Tenant, t.ID)
		},
	})
	if errors.Is(err, events.ErrClosed) {
		return rows.WrongStatus(rows.Transition{Condition: "Only rows of a task that is done can be deleted: cancel it first"}, t.Status)
	}
	if err != nil {
		return err
	}
	s.Cache.Invalidate(t.Tenant, t.ID)
	ctx = context.WithoutCancel(ctx)
	files, err := s.Tasks.Files(ctx, t.Num)
	if err == nil {
		err = s.Rows.EraseFiles(ctx, files)
	}
	if err == nil {
		err = s.Tasks.FilesErased(ctx, t.Num)
	}
	if err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
