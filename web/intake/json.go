package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// TaskBody declares a request for a task in JSON.
var TaskBody = input.JSONStream(
	"kind", "name", "open", "rows", "upload_id", "labels", "priority", "parent_id", "options",
	"type", "params", "format", "columns", "delimiter", "encoding", "bom", "raw", "compression",
)

// Source holds the parts of a task request that have no field in ingest.Request.
type Source struct {
	Export *tasks.Task // the task of an export; nil for rows
	Open   bool        // later requests add the rows
}

// ReadSource reads a request for a task into `u`. The body may be a form, JSON, or one JSON object per
// line. After an error, the caller must remove the file with ingest.Service.Drop.
func (s *Reader) ReadSource(in Body, u *ingest.Request, lang string) (Source, error) {
	f := in.Form
	switch {
	case f != nil && f.Media[0] == input.MediaLines:
		return Source{}, s.readLines(in, u)
	case f == nil || f.Media[0] != input.MediaJSON:
		return Source{}, s.receive(in, u)
	}
	var list bytes.Buffer
	req, err := s.ReadRequest(in, s.collect(&list))
	if err != nil {
		return Source{}, err
	}
	return s.readJSONTask(in.R.Context(), req, &list, u, lang)
}

// readJSONTask reads a JSON request into `u`. It keeps up to 250 rows in memory, if Request.KeepFew
// accepts them. Otherwise, it stores the rows as a file with one JSON object per line. For an export, it
// returns the task of the export.
func (s *Reader) readJSONTask(
	ctx context.Context, req input.Object, list *bytes.Buffer, u *ingest.Request, lang string,
) (w Source, err error) {
	export, err := isExport(req)
	switch {
	case err != nil:
	case export:
		w.Export, err = s.readExport(req, u, lang)
	default:
		w.Open, err = s.readRows(ctx, req, list, u)
	}
	return w, err
}

// collect returns a function that appends a row to a buffer, as one line. The function returns an
// error for more than MaxRows rows.
func (s *Reader) collect(list *bytes.Buffer) func(n int, text []byte) error {
	most := s.MaxRows()
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

// readRows reads a JSON request for an import into `u`. It reports whether the task is open for later
// rows.
func (s *Reader) readRows(
	ctx context.Context, req input.Object, list *bytes.Buffer, u *ingest.Request,
) (open bool, err error) {
	if err := s.takeUpload(ctx, req, u); err != nil {
		return false, err
	}
	if open, err = s.readTask(req, u); err != nil {
		return false, err
	}
	_, rows := req["rows"]
	switch {
	case u.Upload != "" && (open || rows):
		return false, problem.BadMember("upload_id", http.StatusUnprocessableEntity, "A task has a file or rows, not both.")
	case u.Upload != "":
		return false, nil
	case open && (rows || u.DryRun):
		return false, problem.BadMember("rows", http.StatusUnprocessableEntity, "An open task gets its rows at /jobs.")
	case open:
		return true, nil
	case list.Len() == 0:
		return false, problem.New(http.StatusUnprocessableEntity, "NO_ROWS",
			`There are no rows: send them in "rows", or send "open": true to add them later.`).At("/rows")
	}
	if u.KeepFew(list) {
		return false, nil
	}
	return false, s.store(ctx, u, list, conns.RowsBytes*2)
}

// MaxRows returns the greatest number of rows that a task may have. The default is 1,048,576.
func (s *Reader) MaxRows() int {
	if s.Limits.Rows > 0 {
		return s.Limits.Rows
	}
	return 1 << 20
}

// readTask reads the members that describe a task. It reports whether the task is open for later rows.
func (s *Reader) readTask(req input.Object, u *ingest.Request) (open bool, err error) {
	if !u.Export && u.Upload == "" {
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
	err = s.Ingest.Describe(u, map[string]string{
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
	if u.Upload != "" {
		return open, u.Options.Check(u.Kind)
	}
	return open, errors.Join(u.Options.Check(u.Kind), u.CheckNoFile())
}

// readLines reads a request with one JSON object per line into `u`. The URL parameters `kind`, `name`,
// `parent_id` and `options` describe the task.
func (s *Reader) readLines(in Body, u *ingest.Request) error {
	if err := s.Ready(in.R.Context()); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	if in.R.ContentLength > s.MaxUpload {
		return s.tooLarge()
	}
	u.FileName, u.Lines = ingest.RowsName, true
	fields := map[string]string{}
	for _, name := range in.Form.Query {
		fields[name] = in.R.URL.Query().Get(name)
	}
	if err := s.Ingest.Describe(u, fields); err != nil {
		return err
	}
	if err := u.CheckNoFile(); err != nil {
		return err
	}
	b := input.Open(in.W, in.R, s.MaxUpload, s.StallTimeout)
	err := s.store(in.R.Context(), u, b, s.MaxUpload)
	b.End(err == nil)
	if b.Late {
		in.W.Header().Set("Connection", "close")
		return problem.ErrTooSlow
	}
	return err
}

// store stores the rows of a request as the file of its task. It returns an error for more than `most`
// bytes.
func (s *Reader) store(ctx context.Context, u *ingest.Request, r io.Reader, most int64) (err error) {
	err = s.Ingest.Keep(ctx, u, r, most)
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size), errors.Is(err, blobs.ErrTooLarge):
		return s.tooLarge()
	case err != nil && !errors.Is(err, blobs.ErrStorage):
		return problem.New(http.StatusBadRequest, "MALFORMED_BODY", "The request is cut off.")
	}
	return err
}

// ReadRequest reads a JSON request with the members that its route declares. It calls the function `row`
// with the index and the text of each row. It returns an error for a row that package jsonrows cannot
// parse.
func (s *Reader) ReadRequest(in Body, row func(n int, text []byte) error) (input.Object, error) {
	if err := s.Ready(in.R.Context()); err != nil {
		return nil, fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	if in.R.ContentLength > conns.RowsBytes {
		return nil, input.ErrTooLarge
	}
	b := input.Open(in.W, in.R, conns.RowsBytes, s.StallTimeout)
	req, err := input.Parse(json.NewDecoder(b), in.Form, row)
	b.End(err == nil)
	if b.Late {
		in.W.Header().Set("Connection", "close")
		return nil, problem.ErrTooSlow
	}
	return req, err
}
