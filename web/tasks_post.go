package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// createTask serves POST /tasks: a file in a form, rows in JSON or one JSON
// object a line.
func (s *Server) createTask(c *gin.Context) error {
	if err := s.roomFor(c, tasks.Use{Tasks: 1, Rows: 1, Bytes: max(c.Request.ContentLength-maxFields, 1)}); err != nil {
		return err
	}
	u, ctx := s.newUpload(c), c.Request.Context()
	w, err := s.readSource(c, u)
	switch {
	case err != nil:
		return errors.Join(err, s.drop(ctx, u))
	case w.open:
		return s.createOpen(c, u)
	}
	t, old, err := s.make(ctx, w, u)
	if err != nil {
		return err
	}
	return s.started(c, t, old)
}

// make adds the task of a request that was read.
func (s *Server) make(ctx context.Context, w work, u *upload) (t *tasks.Task, old bool, err error) {
	if w.export != nil {
		t, err = s.addExport(ctx, u, w.export)
		return t, false, err
	}
	return s.take(ctx, u)
}

// take looks at the head of what was stored, and commits the task; the rows
// are read by a worker. What no task has is removed.
func (s *Server) take(ctx context.Context, u *upload) (t *tasks.Task, old bool, err error) {
	failpoint.Hit("stored")
	t, old, err = s.accept(ctx, u)
	if err != nil {
		return nil, false, errors.Join(err, s.drop(ctx, u))
	}
	if old || t.FileID != u.file.ID { // it was there, with a file of its own
		return t, old, s.drop(ctx, u)
	}
	failpoint.Hit("accepted")
	s.ringFor(ctx, u.topic())
	return t, false, nil
}

// created answers with a task that was accepted, or was there already.
func (s *Server) created(c *gin.Context, t *tasks.Task, old bool) {
	now, status := s.opt.Now(), http.StatusAccepted
	v := view.OfTask(t, now)
	if v.Deduplicated = old; old {
		status = http.StatusOK
	}
	c.Header("Location", "/api/v1/tasks/"+t.ID)
	if !t.Status.Done() {
		c.Header("Retry-After", "1")
	}
	c.Header("ETag", etag(c, t))
	c.JSON(status, v)
}

// accept commits the task of an upload whose head is in order. old tells that
// it is one that was there already.
func (s *Server) accept(ctx context.Context, u *upload) (t *tasks.Task, old bool, err error) {
	in, err := s.inspect(ctx, u)
	if err != nil {
		return nil, false, err
	}
	if err := u.checkMapping(in.Columns); err != nil {
		return nil, false, err
	}
	if err := u.checkKey(in.Columns); err != nil {
		return nil, false, err
	}
	made := s.newTask(u)
	made.Columns, made.Warnings, made.Hold = in.Columns, in.Warnings, u.options.Hold()
	u.options.Decimal = in.Decimal
	if made.Options, err = u.options.told(); err != nil {
		return nil, false, err
	}
	made.Source = tasks.Source{
		FileID: u.file.ID, FileName: u.called, FileSheet: in.Sheet, FileFormat: in.Format,
		FileSize: u.file.Size, FileSHA256: u.file.SHA256, HeaderRow: in.HeaderRow,
		FileEncoding: in.Encoding, FileDelimiter: in.Delimiter,
	}
	t, err = s.commit(ctx, u, made)
	if err == nil && t.ID != made.ID && u.options.Dedup == dedupReject {
		err = duplicate(t)
	}
	return t, err == nil && t.ID != made.ID, err
}

// inspect looks at the head of what came with a request.
func (s *Server) inspect(ctx context.Context, u *upload) (importers.Inspection, error) {
	if u.rows != nil {
		return importers.InspectJSONLines(bytes.NewReader(u.rows), u.kind)
	}
	f, err := s.opt.Files.Get(ctx, u.file.ID)
	if err != nil {
		return importers.Inspection{}, err
	}
	defer f.Close()
	return u.inspect(f)
}

func (u *upload) inspect(f *blobs.File) (importers.Inspection, error) {
	if u.lines {
		return importers.InspectJSONLines(f, u.kind)
	}
	return importers.Inspect(f, f.Size, u.kind, u.options.Options)
}

// newTask returns the task of an upload, as far as the request describes it.
func (s *Server) newTask(u *upload) *tasks.Task {
	return &tasks.Task{
		ID: cmp.Or(u.task, u.attempt.newID()), Tenant: u.tenant, CreatedBy: u.by, Kind: u.kind.Name, Type: tasks.Import,
		Name: u.name, Status: tasks.Open, Labels: u.options.Labels, Priority: u.options.Priority,
		ParentID: u.options.ParentID, CallbackURL: u.options.CallbackURL,
		MaxFailures: u.options.MaxFailures,
	}
}

// commitTimeout bounds the commit of a task.
const commitTimeout = 10 * time.Second

var errParent = problem.New(http.StatusUnprocessableEntity, "PARENT_NOT_FOUND",
	"The parent must be a task of yours that is not done or being canceled, with less than ten ancestors.").
	At("/parent_id")

// add adds the task: for a schedule, if nobody else has done so for the same run.
func (s *Server) add(ctx context.Context, u *upload, t *tasks.Task) (old *tasks.Task, err error) {
	terms := tasks.Terms{Keep: u.options.keep(s.opt.Keep), Once: s.once(u, t), Quotas: true}
	if u.rows != nil {
		return s.addRows(ctx, u, t, terms)
	}
	return s.addTask(ctx, u, t, terms)
}

// addTask adds the task alone.
func (s *Server) addTask(ctx context.Context, u *upload, t *tasks.Task, terms tasks.Terms) (old *tasks.Task, err error) {
	if u.run != nil {
		return s.opt.Schedules.Start(ctx, *u.run, t, terms)
	}
	return s.opt.Tasks.CreateOnce(ctx, t, terms)
}

// begun is the task that an earlier attempt at the same request has added
// before its process died; nil if there is none.
func (s *Server) begun(ctx context.Context, u *upload, id string) (*tasks.Task, error) {
	if err := u.attempt.seal(ctx); err != nil || !u.attempt.again() {
		return nil, err
	}
	t, err := s.opt.Tasks.Get(ctx, u.tenant, id)
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, nil //nolint:nilnil // it died before
	}
	return t, err
}

// commit adds the task, or returns the one that is there already. A commit whose
// answer was lost is settled by looking whether it is there, so that its file is
// neither lost nor left.
func (s *Server) commit(ctx context.Context, u *upload, t *tasks.Task) (*tasks.Task, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // the caller has gone: nothing is kept
	}
	if there, err := s.begun(ctx, u, t.ID); err != nil || there != nil {
		return there, err
	}
	ctx = context.WithoutCancel(ctx)
	create, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	old, err := s.add(create, u, t)
	switch {
	case err == nil && old != nil:
		return old, nil
	case err == nil:
		return t, nil
	case errors.Is(err, tasks.ErrParent):
		return nil, errParent
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
