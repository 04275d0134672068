package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// eraseTask serves DELETE /tasks/{id}: rows, files, results, audit and stored answers of a
// task that is done are gone at once.
func (s *Server) eraseTask(c *gin.Context) error {
	ctx, tenant, id := c.Request.Context(), s.tenant(c), c.Param("id")
	left, err := s.opt.Tasks.As(s.actor(c)).Erase(ctx, tenant, id, func(ctx context.Context, tx ledger.Tx) error {
		if s.opt.Idempotency == nil {
			return nil
		}
		return s.opt.Idempotency.EraseIn(ctx, tx, tenant, id)
	})
	var stands *tasks.StatusError
	if errors.As(err, &stands) {
		return wrongStatus(turn{done: "Only a task that is done can be deleted: cancel it first"}, stands.Status)
	}
	if err != nil {
		return err
	}
	s.cache.Invalidate(tenant, id)
	if err := s.sweep(context.WithoutCancel(ctx), left); err != nil {
		s.opt.Log.ErrorContext(ctx, "the rest of a deleted task is left to the keeper", "task", id, "err", err)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// sweep removes files, rows and records of a deleted task.
func (s *Server) sweep(ctx context.Context, left tasks.Remains) error {
	files, err := s.opt.Tasks.Files(ctx, left.Num)
	if err == nil {
		err = s.eraseFiles(ctx, files)
	}
	return errors.Join(err, s.opt.Tasks.Sweep(ctx, left, s.opt.Events.Erase))
}

// eraseFiles deletes files, and has the ledger note each.
func (s *Server) eraseFiles(ctx context.Context, files []tasks.ExpiredFile) (err error) {
	for _, f := range files {
		gone := s.opt.Files.Delete(ctx, f.FileID)
		if gone == nil || errors.Is(gone, blobs.ErrNotFound) {
			gone = s.opt.Tasks.MarkFileDeleted(ctx, f)
		}
		err = errors.Join(err, gone)
	}
	return err
}
