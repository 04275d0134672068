package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// eraseRow serves DELETE /events/{id}: it deletes the contents of a row of a task that is
// done. It deletes the files of the task too, because they hold the row. A keeper deletes
// the files that an error leaves.
func (s *Server) eraseRow(c *gin.Context) error {
	t, e, err := s.eventOf(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	rule, hashed := s.desk().Keys(t)
	err = s.opt.Events.EraseRow(ctx, events.Erasure{
		ID: e.ID, Tenant: t.Tenant, JobID: e.ID.JobID(t.ID), By: s.actor(c), Keys: rule, Hashed: hashed,
		Also: func(ctx context.Context, tx ledger.Tx) error {
			err := s.opt.Tasks.EraseFilesIn(ctx, tx, t.Num)
			if err != nil || s.opt.Idempotency == nil {
				return err
			}
			return s.opt.Idempotency.EraseAnswersIn(ctx, tx, t.Tenant, t.ID)
		},
	})
	if errors.Is(err, events.ErrClosed) {
		return wrongStatus(turn{done: "Only rows of a task that is done can be deleted: cancel it first"}, t.Status)
	}
	if err != nil {
		return err
	}
	s.cache.Invalidate(t.Tenant, t.ID)
	ctx = context.WithoutCancel(ctx)
	files, err := s.opt.Tasks.Files(ctx, t.Num)
	if err == nil {
		err = s.eraseFiles(ctx, files)
	}
	if err == nil {
		err = s.opt.Tasks.FilesErased(ctx, t.Num)
	}
	if err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
