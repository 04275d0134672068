package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// taskBody declares a request for a task in JSON.
var taskBody = input.JSONStream(
	"kind", "name", "open", "rows", "labels", "priority", "parent_id", "options",
	"type", "params", "format", "columns", "delimiter", "encoding", "bom", "compression",
)

// taskRequest is what a request for a task asks for, beside its ingest.Request.
type taskRequest struct {
	export *tasks.Task // it makes a file; nil for rows
	open   bool        // the rows come later
}

// readSource reads a request for a task in any of its forms.
func (s *Server) readSource(c *gin.Context, u *ingest.Request) (taskRequest, error) {
	f := formTaken(c)
	switch {
	case f != nil && f.Media[0] == input.MediaLines:
		return taskRequest{}, s.readLines(c, u)
	case f == nil || f.Media[0] != input.MediaJSON:
		return taskRequest{}, s.receive(c, u)
	}
	var list bytes.Buffer
	req, err := s.readRequest(c, s.collect(&list))
	if err != nil {
		return taskRequest{}, err
	}
	return s.readJSONTask(c.Request.Context(), req, &list, u, c.GetString(langKey))
}

// readJSONTask reads a JSON request. It keeps few rows in u, and stores more rows as a file with one
// object a line. For an export, it returns the task of the export.
func (s *Server) readJSONTask(
	ctx context.Context, req input.Object, list *bytes.Buffer, u *ingest.Request, lang string,
) (w taskRequest, err error) {
	export, err := exports(req)
	switch {
	case err != nil:
	case export:
		w.export, err = s.readExport(req, u, lang)
	default:
		w.open, err = s.readRows(ctx, req, list, u)
	}
	return w, err
}

// collect appends rows to list, one a line.
func (s *Server) collect(list *bytes.Buffer) func(n int, text []byte) error {
	most := s.maxRows()
	return func(n int, text []byte) error {
		if n == most {
			return problem.New(http.StatusRequestEntityTooLarge, "TOO_MANY_ROWS",
				fmt.Sprintf("There are more than %d rows.", most)).At("/rows")
		}
		if err := json.Compact(list, text); err != nil {
			return err
		}
		return list.WriteByte('\n')
	}
}

// readRows reads a JSON request into u: rows, or the description of an open task.
func (s *Server) readRows(
	ctx context.Context, req input.Object, list *bytes.Buffer, u *ingest.Request,
) (open bool, err error) {
	if open, err = s.readTask(req, u); err != nil {
		return false, err
	}
	_, rows := req["rows"]
	switch {
	case open && (rows || u.DryRun):
		return false, problem.BadMember("rows", http.StatusUnprocessableEntity, "An open task gets its rows at /jobs.")
	case open:
		return true, nil
	case list.Len() == 0:
		return false, problem.New(http.StatusUnprocessableEntity, "NO_ROWS",
			`There are no rows: send them in "rows", or say "open": true to add them later.`).At("/rows")
	}
	if u.KeepFew(list) {
		return false, nil
	}
	return false, s.store(ctx, u, list, conns.RowsBytes*2)
}

// maxRows returns how many rows a task may have.
func (s *Server) maxRows() int {
	if s.opt.Limits.Rows > 0 {
		return s.opt.Limits.Rows
	}
	return 1 << 20
}

// readTask reads the description of a task.
func (s *Server) readTask(req input.Object, u *ingest.Request) (open bool, err error) {
	if !u.Export {
		u.FileName, u.Lines = ingest.RowsName, true
	}
	var kind, name, parent string
	var labels map[string]string
	var priority int
	err = errors.Join(
		req.Into("kind", "the name of a kind", &kind), req.Into("name", "a text", &name),
		req.Into("parent_id", "the id of a task", &parent), req.Into("open", "true or false", &open),
		req.Into("labels", "an object of texts", &labels), req.Into("priority", "a whole number", &priority),
	)
	if err != nil {
		return false, err
	}
	options := string(req["options"])
	if options == "null" {
		options = ""
	}
	err = s.ingest.Describe(u, map[string]string{
		"kind": kind, "name": name, "options": options, "parent_id": parent,
	})
	if err != nil {
		return false, err
	}
	if labels != nil {
		u.Options.Labels = labels
	}
	if _, ok := req["priority"]; ok {
		u.Options.Priority = priority
	}
	return open, errors.Join(u.Options.Check(u.Kind), u.CheckNoFile())
}

// readLines reads a request with one JSON object a line into u. The address describes the task:
// kind, name, parent_id and options.
func (s *Server) readLines(c *gin.Context, u *ingest.Request) error {
	if err := s.ready(c.Request.Context()); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	if c.Request.ContentLength > s.opt.MaxUpload {
		return s.tooLarge()
	}
	u.FileName, u.Lines = ingest.RowsName, true
	fields := map[string]string{}
	for _, name := range formTaken(c).Query {
		fields[name] = c.Query(name)
	}
	if err := s.ingest.Describe(u, fields); err != nil {
		return err
	}
	if err := u.CheckNoFile(); err != nil {
		return err
	}
	b := input.Open(c.Writer, c.Request, s.opt.MaxUpload, s.opt.Patience)
	err := s.store(c.Request.Context(), u, b, s.opt.MaxUpload)
	b.End(err == nil)
	if b.Late {
		c.Header("Connection", "close")
		return problem.ErrTooSlow
	}
	return err
}

// store stores the rows of a request as its file.
func (s *Server) store(ctx context.Context, u *ingest.Request, r io.Reader, most int64) (err error) {
	err = s.ingest.Keep(ctx, u, r, most)
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size), errors.Is(err, blobs.ErrTooLarge):
		return s.tooLarge()
	case err != nil && !errors.Is(err, blobs.ErrStorage):
		return problem.New(http.StatusBadRequest, "MALFORMED_BODY", "The request is cut off.")
	}
	return err
}

// createOpen serves POST /tasks for a task that gets its rows later.
func (s *Server) createOpen(c *gin.Context, u *ingest.Request) error {
	t, err := s.ingest.Open(c.Request.Context(), u)
	if err != nil {
		return err
	}
	s.created(c, t, false)
	return nil
}
