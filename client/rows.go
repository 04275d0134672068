package client

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"strconv"
	"time"
)

// Event is the record of one row: its content and its history.
type Event struct {
	ID     string
	TaskID string `json:"task_id"`
	Seq    int64  // index among the data rows, from 1
	Row    int    // row number in the file, as people see it
	Sheet  string
	Key    string // rows with equal keys run one after another

	Status      string // enqueue, working, finish, failed, error or canceled
	Attempt     int
	MaxAttempts int `json:"max_attempts"`
	Params      json.RawMessage
	Result      json.RawMessage
	Code        string
	Column      string
	Value       string
	Message     string
	Hint        string
	Fields      []FieldError // the columns at fault, if there are several
	Messages    []Note       // the message log
	Attempts    []Attempt    // all attempts, oldest first
	QueuedAt    *time.Time   `json:"queued_at"` // when the row became ready to run; set when it has started
	StartedAt   *time.Time   `json:"started_at"`
	FinishedAt  *time.Time   `json:"finished_at"`
	NextRunAt   *time.Time   `json:"next_run_at"`
	Resolution  *Resolution  // nil if the row needs none
	Version     int          // grows with every change: see Client.Repair
}

// FieldError is one column at fault.
type FieldError struct {
	Column, Value, Code, Message, Hint string
}

// Note is one entry in a row's message log.
type Note struct {
	At         time.Time
	Attempt    int
	Status     string
	Text       string
	DurationMs int64 `json:"duration_ms"`
}

// Attempt is the record of one run of a row. Worker, Build, Type, Error and Stack are set only if the
// client's API key has the scope ops:read.
type Attempt struct {
	Attempt   int        // from 1; 0: the row ended without a run
	Outcome   string     // running, finish, failed, retry, error, interrupted or lost
	QueuedAt  *time.Time `json:"queued_at"`
	StartedAt *time.Time `json:"started_at"`
	EndedAt   *time.Time `json:"ended_at"`
	Code      string
	Column    string
	Value     string
	Message   string
	Worker    string // the process
	Build     string // the version of the worker's program
	Type      string `json:"error_type"` // of a system fault
	Error     string // its error text
	Stack     string // the stack of a panic
}

// Resolution is the state of a bad row: open, or the last decision about the row, by a user or by the
// service.
type Resolution struct {
	State string // open, fixed, skipped, accepted, resubmitted or superseded
	By    string
	At    *time.Time
	Note  string
}

// Filter is a selection of rows of a task. In a list, the zero value selects all rows. In a BulkAction,
// the zero value means that Filter is not used.
type Filter struct {
	Status     string `json:"status,omitempty"` // one or more, separated by commas
	Code       string `json:"code,omitempty"`
	Column     string `json:"column,omitempty"`
	Key        string `json:"key,omitempty"`
	RowGte     int    `json:"row_gte,omitempty"` // this row of the file, and those after it
	Q          string `json:"q,omitempty"`       // a text in the cells or the failure, or in one task a row number
	Resolution string `json:"resolution,omitempty"`

	// Build and Fingerprint require an API key with the scope ops:read.
	Build       string    `json:"build,omitempty"`       // version of the program that last ran the row
	Fingerprint string    `json:"fingerprint,omitempty"` // fingerprint of the fault that ended the row: see ErrorGroup
	FinishedGte time.Time `json:"finished_gte,omitzero"` // the row ended at this time or later
	FinishedLt  time.Time `json:"finished_lt,omitzero"`  // the row ended before this time
}

func (f Filter) query() url.Values {
	q := url.Values{"limit": {"500"}}
	for name, value := range map[string]string{
		"status": f.Status, "code": f.Code, "column": f.Column, "key": f.Key, "q": f.Q,
		"resolution": f.Resolution, "build": f.Build, "fingerprint": f.Fingerprint,
		"finished_gte": instant(f.FinishedGte), "finished_lt": instant(f.FinishedLt),
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.RowGte > 0 {
		q.Set("row_gte", strconv.Itoa(f.RowGte))
	}
	return q
}

// instant formats a time for the service. It returns "" for the zero time.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// Event returns one row.
func (c *Client) Event(ctx context.Context, id string) (*Event, error) {
	out := &Event{}
	return orNil(out, c.get(ctx, eventPath(id), out))
}

func eventPath(id string) string { return "/events/" + url.PathEscape(id) }

// Events iterates over the rows of a task in file order, and reads them page by page. It ends after
// the first error.
func (c *Client) Events(ctx context.Context, taskID string, f Filter) iter.Seq2[Event, error] {
	return pages[Event](ctx, c, taskPath(taskID)+"/events", f.query())
}

// Errors iterates over the bad rows of a task in file order, in short form. It ends after the first
// error.
func (c *Client) Errors(ctx context.Context, taskID string, f Filter) iter.Seq2[RowError, error] {
	return pages[RowError](ctx, c, taskPath(taskID)+"/errors", f.query())
}

// Tasks iterates over the tasks of the tenant to which the API key belongs, newest first. An empty
// status or kind selects all tasks.
func (c *Client) Tasks(ctx context.Context, status, kind string) iter.Seq2[Task, error] {
	q := url.Values{"limit": {"100"}}
	if status != "" {
		q.Set("status", status)
	}
	if kind != "" {
		q.Set("kind", kind)
	}
	return pages[Task](ctx, c, "/tasks", q)
}

// pages iterates over the items of all pages of a list.
func pages[T any](ctx context.Context, c *Client, path string, q url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		q := maps.Clone(q) // each loop starts at the first page
		for {
			var page struct {
				Items      []T
				NextCursor string `json:"next_cursor"`
			}
			if err := c.get(ctx, path+"?"+q.Encode(), &page); err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if page.NextCursor == "" {
				return
			}
			q.Set("cursor", page.NextCursor)
		}
	}
}
