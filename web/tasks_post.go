package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// createTask serves POST /tasks: it stores the file, looks at its head, and
// commits the task. The rows are read by a worker.
func (s *Server) createTask(c *gin.Context) error {
	u, err := s.readUpload(c)
	if err != nil {
		return err
	}
	t, err := s.accept(c, u)
	if err != nil {
		return errors.Join(err, s.drop(u))
	}
	// Nobody may be there to hear it: then the splitters' poll finds the task.
	_ = s.opt.Queue.Ring(c, importers.Topic)
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
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: s.opt.Tenant, Kind: u.kind.Name, Type: tasks.Import,
		Name: u.name, Status: tasks.Open, Labels: u.options.Labels, Priority: u.options.Priority,
		Columns: in.Columns,
		Source: tasks.Source{
			FileID: u.file.ID, FileName: u.called, FileSheet: in.Sheet, FileFormat: in.Format,
			FileSize: u.file.Size, FileSHA256: u.file.SHA256, HeaderRow: in.HeaderRow,
		},
	}
	return t, s.opt.Tasks.Create(ctx, t, s.opt.Keep)
}
