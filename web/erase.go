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
	files, err := s.opt.Tasks.As(s.actor(c)).Erase(ctx, tenant, id, func(ctx context.Context, tx ledger.Tx, num int64) error {
		if err := s.opt.Events.EraseIn(ctx, tx, num); err != nil {
			return err
		}
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
	s.board.forget(tenant, id)
	if err := s.eraseFiles(context.WithoutCancel(ctx), files); err != nil {
		s.opt.Log.ErrorContext(ctx, "files of a deleted task are left to the keeper", "task", id, "err", err)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// eraseFiles deletes files, and has the ledger note each.
func (s *Server) eraseFiles(ctx context.Context, files []tasks.OldFile) (err error) {
	for _, f := range files {
		gone := s.opt.Files.Delete(ctx, f.FileID)
		if gone == nil || errors.Is(gone, blobs.ErrNotFound) {
			gone = s.opt.Tasks.FileGone(ctx, f)
		}
		err = errors.Join(err, gone)
	}
	return err
}
