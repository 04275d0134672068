package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/tasks"
)

// createTask serves POST /tasks: it stores the file, looks at its head, and
// commits the task. The rows are read by a worker.
func (s *Server) createTask(c *gin.Context) error {
	u, err := s.readUpload(c)
	if err != nil {
		return err
	}
	failpoint.Hit("stored")
	t, err := s.accept(c.Request.Context(), u)
	if err != nil {
		return errors.Join(err, s.drop(u))
	}
	failpoint.Hit("accepted")
	s.ring(c.Request.Context())
	c.Header("Location", "/api/v1/tasks/"+t.ID)
	c.Header("Retry-After", "1")
	c.Header("ETag", etag(t))
	c.JSON(http.StatusAccepted, viewTask(t, s.opt.Now()))
	return nil
}

// accept commits the task of an upload whose head is in order.
func (s *Server) accept(ctx context.Context, u *upload) (*tasks.Task, error) {
	f, err := s.opt.Files.Get(u.file.ID)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := importers.Inspect(f, f.Size, u.kind, u.options.Options)
	if err != nil {
		return nil, err
	}
	if err := u.checkMapping(in.Columns); err != nil {
		return nil, err
	}
	return s.commit(ctx, u, &tasks.Task{
		ID: tasks.NewID(), Tenant: s.opt.Tenant, Kind: u.kind.Name, Type: tasks.Import,
		Name: u.name, Status: tasks.Open, Labels: u.options.Labels, Priority: u.options.Priority,
		Columns: in.Columns, CallbackURL: u.options.CallbackURL,
		Source: tasks.Source{
			FileID: u.file.ID, FileName: u.called, FileSheet: in.Sheet, FileFormat: in.Format,
			FileSize: u.file.Size, FileSHA256: u.file.SHA256, HeaderRow: in.HeaderRow,
		},
	})
}

// commitTimeout bounds the commit of a task.
const commitTimeout = 10 * time.Second

// commit adds the task. A commit whose answer was lost is settled by looking
// whether it is there, so that its file is neither lost nor left.
func (s *Server) commit(ctx context.Context, u *upload, t *tasks.Task) (*tasks.Task, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // the caller has gone: nothing is kept
	}
	ctx = context.WithoutCancel(ctx)
	create, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	err := s.opt.Tasks.Create(create, t, u.options.keep(s.opt.Keep))
	if err == nil {
		return t, nil
	}
	look, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	there, lost := s.opt.Tasks.Get(look, t.Tenant, t.ID)
	if lost == nil {
		return there, nil
	}
	u.doubt = !errors.Is(lost, tasks.ErrNotFound)
	return nil, err
}
