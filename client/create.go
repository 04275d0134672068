package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"
)

// ImportOptions holds the options of an import. A zero field means the default of the service.
// docs/use/upload.md describes the options.
type ImportOptions struct {
	Sheet         string            `json:"sheet,omitempty"`
	HeaderRow     int               `json:"header_row,omitempty"` // from 1
	Encoding      string            `json:"encoding,omitempty"`   // such as "windows-1251"
	Decimal       string            `json:"decimal,omitempty"`    // decimal sign of numbers in texts: "," or "."
	Delimiter     string            `json:"delimiter,omitempty"`
	Mapping       map[string]string `json:"mapping,omitempty"` // heading to field
	KeyColumn     string            `json:"key_column,omitempty"`
	RunAtColumn   string            `json:"run_at_column,omitempty"` // column of the times before which rows do not run
	Duplicates    string            `json:"duplicates,omitempty"`    // keep_all, latest, first or error
	OnInvalid     string            `json:"on_invalid,omitempty"`    // fail_row or block
	Mode          string            `json:"mode,omitempty"`          // best_effort or all_or_nothing
	Dedup         string            `json:"dedup,omitempty"`         // none, reuse or reject
	Labels        map[string]string `json:"labels,omitempty"`
	Priority      int               `json:"priority,omitempty"` // -1000 to 1000
	ParentID      string            `json:"parent_id,omitempty"`
	After         []string          `json:"after,omitempty"`         // ids of tasks that end before its rows run
	AfterOutcome  string            `json:"after_outcome,omitempty"` // required of these tasks: any or success
	CallbackURL   string            `json:"callback_url,omitempty"`
	RetentionDays int               `json:"retention_days,omitempty"`
	MaxFailures   *int64            `json:"max_failures,omitempty"` // one more failure cancels the task; nil: no limit
	RunAt         time.Time         `json:"run_at,omitzero"`        // no row runs before this time; zero means at once
}

// Upload is a file to import.
type Upload struct {
	Kind     string    // name of the kind, such as "products.import"
	FileName string    // shown to people; the content determines the format
	File     io.Reader // read to its end
	Name     string    // name of the task. Default: the name of the file
	Options  ImportOptions

	// IdempotencyKey identifies the request, so that a repeated request has no second effect.
	// Default: a new unique key.
	IdempotencyKey string
}

// Upload streams a file to the service and returns the created task. If the file is an io.ReadSeeker,
// Upload sends it again if the service is down or busy, in at most Options.Tries tries. An io.ReadSeeker
// of more than 8 MiB is sent in parts. After a broken connection, Upload continues after the last byte that
// the service has stored. A later call with the same IdempotencyKey also continues there. If the file is
// not an io.ReadSeeker, the caller opens it again after a temporary error, and calls Upload with the same
// IdempotencyKey.
func (c *Client) Upload(ctx context.Context, up Upload) (*Task, error) {
	if from, size, ok := sizeOf(up.File); ok && size > partBytes {
		return c.uploadParts(ctx, up, keyOr(up.IdempotencyKey), parted{file: up.File.(io.ReadSeeker), from: from, size: size})
	}
	options, err := json.Marshal(up.Options)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	fields := [][2]string{{"kind", up.Kind}, {"name", up.Name}, {"options", string(options)}}
	r, err := form("/tasks", fields, up.FileName, up.File)
	if err != nil {
		return nil, err
	}
	r.header["Idempotency-Key"] = keyOr(up.IdempotencyKey)
	out := &Task{}
	return orNil(out, c.exchange(ctx, r, out))
}

// form returns a multipart request with fields and a file, which is read while the request is sent.
func form(path string, fields [][2]string, name string, file io.Reader) (call, error) {
	var head bytes.Buffer
	w := multipart.NewWriter(&head)
	for _, f := range fields {
		if f[1] == "" {
			continue
		}
		if err := w.WriteField(f[0], f[1]); err != nil {
			return call{}, fmt.Errorf("client: %w", err)
		}
	}
	if _, err := w.CreateFormFile("file", name); err != nil {
		return call{}, fmt.Errorf("client: %w", err)
	}
	end := "\r\n--" + w.Boundary() + "--\r\n"
	return call{
		method: http.MethodPost, path: path, stream: newStream(head.String(), file, end),
		header: map[string]string{"Content-Type": w.FormDataContentType()},
	}, nil
}

// Batch is a task whose rows a program sends.
type Batch struct {
	Kind string
	Name string

	// Rows are maps or structs that encode to JSON objects, from field to value. Unless Open is
	// set, their total size must not exceed the service's limit for a request body.
	Rows []any

	// Open keeps the task open for more rows: see Client.Append and Client.Close.
	Open bool

	Options ImportOptions

	// IdempotencyKey works like Upload.IdempotencyKey.
	IdempotencyKey string
}

// Create creates a task of the rows in `b`, and returns it. With b.Open, the service may create the
// task, but not accept all rows. Create then returns both the task and an error.
func (c *Client) Create(ctx context.Context, b Batch) (*Task, error) {
	in := map[string]any{"kind": b.Kind, "options": b.Options}
	if b.Name != "" {
		in["name"] = b.Name
	}
	if b.Open {
		in["open"] = true
	} else {
		in["rows"] = b.Rows
	}
	task := &Task{}
	if err := c.post(ctx, "/tasks", b.IdempotencyKey, in, task); err != nil || !b.Open {
		return orNil(task, err)
	}
	for at := 0; at < len(b.Rows); at += MaxAppend {
		added, err := c.Append(ctx, task.ID, b.Rows[at:min(at+MaxAppend, len(b.Rows))])
		if err != nil {
			return task, err
		}
		if added.Rejected > 0 {
			return task, fmt.Errorf("client: the service rejected %d rows of the request from index %d on", added.Rejected, at)
		}
	}
	return task, nil
}

// MaxAppend is the maximum number of rows of one Append.
const MaxAppend = 1000

// Appended is the result of Append.
type Appended struct {
	Accepted int
	Rejected int
	Items    []struct {
		Index  int     // index in the sent rows
		ID     string  // id of the row's event; "" if it was rejected
		Errors []Fault // the reasons of the rejection
	}
}

// Append adds up to MaxAppend rows to an open task. A row that breaks a rule of the kind is rejected,
// and does not affect the other rows. If a row is not a flat JSON object, Append fails and adds no row.
func (c *Client) Append(ctx context.Context, taskID string, rows []any) (*Appended, error) {
	out := &Appended{}
	return orNil(out, c.post(ctx, taskPath(taskID)+"/jobs", "", map[string]any{"rows": rows}, out))
}

// Close closes an open task, so that it accepts no more rows. Closing a closed task is a no-op.
func (c *Client) Close(ctx context.Context, taskID string) (*Task, error) {
	return c.changeStatus(ctx, taskID, "close")
}

// Pause pauses a task. Rows that are already in the queue or at a worker still run.
func (c *Client) Pause(ctx context.Context, taskID string) (*Task, error) {
	return c.changeStatus(ctx, taskID, "pause")
}

// Resume continues a paused task. A row ends as superseded if a newer row of the same key has finished in a
// later task. A row with a version ends as superseded if a row with a greater version has finished in any
// task.
func (c *Client) Resume(ctx context.Context, taskID string) (*Task, error) {
	return c.changeStatus(ctx, taskID, "resume")
}

// ResumeAnyway is like Resume, but also runs rows for which a newer row of their key has finished. A row
// with a version does not run if a greater version has finished in its own task, or in any task since
// the resume. Rows that have ended as superseded do not run again. For a resubmitted row, the field
// Anyway of the BulkAction that has resubmitted the row still decides.
func (c *Client) ResumeAnyway(ctx context.Context, taskID string) (*Task, error) {
	out := &Task{}
	return orNil(out, c.post(ctx, taskPath(taskID)+"/resume", "", map[string]any{"superseded": "run"}, out))
}

// Cancel cancels a task. Rows that have not started do not run.
func (c *Client) Cancel(ctx context.Context, taskID string) (*Task, error) {
	return c.changeStatus(ctx, taskID, "cancel")
}

func (c *Client) changeStatus(ctx context.Context, taskID, verb string) (*Task, error) {
	out := &Task{}
	return orNil(out, c.exchange(ctx, call{
		method: http.MethodPost, path: taskPath(taskID) + "/" + verb,
		header: map[string]string{"Idempotency-Key": keyOr("")},
	}, out))
}

func taskPath(id string) string { return "/tasks/" + url.PathEscape(id) }
