package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Total is the result of an action on rows of all tasks, or the expected result of a dry run.
type Total struct {
	Tasks        int // tasks with matching rows
	Closed       int // tasks whose rows can no longer be changed
	Matched      int64
	Done         int64 // changed rows; 0 in a dry run
	Resubmitted  int64 // of Done, rows that run again
	StillInvalid int64 `json:"still_invalid"`
	Superseded   int64 // rows that will not run, because another row of their key replaces them
	Conflicts    int64 // rows changed by another user meanwhile
}

func (t *Total) add(o *Total) {
	t.Tasks, t.Closed, t.Matched, t.Done = t.Tasks+o.Tasks, t.Closed+o.Closed, t.Matched+o.Matched, t.Done+o.Done
	t.Resubmitted, t.StillInvalid = t.Resubmitted+o.Resubmitted, t.StillInvalid+o.StillInvalid
	t.Superseded, t.Conflicts = t.Superseded+o.Superseded, t.Conflicts+o.Conflicts
}

// ResubmitAll is like Resubmit, for the rows of all tasks of a kind, or of all kinds if `kind` is "".
// p.Filter or p.All selects the rows; p.IDs must be empty. p.Set and p.Replace need a kind. The service
// acts in steps, newest task first. If a step fails, ResubmitAll returns the error and the result of the
// earlier steps.
func (c *Client) ResubmitAll(ctx context.Context, kind string, p BulkAction) (*Total, error) {
	return c.bulkAll(ctx, "resubmit", kind, p)
}

// SkipAll is like Skip, for the rows of all tasks of a kind, or of all kinds if `kind` is "". p.Filter
// or p.All selects the rows; p.IDs must be empty. If a step fails, SkipAll returns the error and the
// result of the earlier steps.
func (c *Client) SkipAll(ctx context.Context, kind string, p BulkAction) (*Total, error) {
	return c.bulkAll(ctx, "skip", kind, p)
}

func (c *Client) bulkAll(ctx context.Context, act, kind string, p BulkAction) (*Total, error) {
	sum := &Total{}
	in, err := p.bodyOfAll(kind)
	if err != nil {
		return sum, err
	}
	return sum, steps(ctx, c, "/rows/"+act, in, sum.add)
}

func (p *BulkAction) bodyOfAll(kind string) (map[string]any, error) {
	if len(p.IDs) > 0 {
		return nil, ErrSelection
	}
	in, err := p.body()
	if err == nil && kind != "" {
		in["kind"] = kind
	}
	return in, err
}

// steps repeats a request with the cursor of each response, until a response has none. It calls `add`
// with each response.
func steps[T any](ctx context.Context, c *Client, path string, in map[string]any, add func(*T)) error {
	for cursor := ""; ; {
		var text json.RawMessage
		if err := c.post(ctx, path+cursor, "", in, &text); err != nil {
			return err
		}
		var page struct {
			Next *string `json:"next_cursor"`
		}
		step := new(T)
		if err := errors.Join(json.Unmarshal(text, step), json.Unmarshal(text, &page)); err != nil {
			return fmt.Errorf("client: answer of %s: %w", path, err)
		}
		if add(step); page.Next == nil {
			return nil
		}
		cursor = "?" + url.Values{"cursor": {*page.Next}}.Encode()
	}
}

// Waiting is a selection of rows that wait to run or wait for a retry. Its zero value selects no rows. For
// all rows, set RowCancel.All.
type Waiting struct {
	Key    string `json:"key,omitempty"`
	Q      string `json:"q,omitempty"`       // a text in the cells or the last failure
	RowGte int    `json:"row_gte,omitempty"` // this row of the file, and those after it

	// Code and Column select rows that wait for a retry, by their last failure.
	Code   string `json:"code,omitempty"`
	Column string `json:"column,omitempty"`
}

// RowCancel is a request to cancel waiting rows. It does not cancel their tasks.
type RowCancel struct {
	Rows   Waiting  // the rows that match all of its conditions
	IDs    []string // up to 1,000 rows by the ids of their events; not for CancelAllRows
	All    bool     // all waiting rows. Set exactly one of Rows, IDs and All
	Note   string   // the reason, for the audit log
	DryRun bool     // only counts the matching rows

	// Kind, CreatedAfter and CreatedBefore select the tasks in which CancelAllRows cancels rows. Zero
	// values select all tasks of the tenant.
	Kind          string
	CreatedAfter  time.Time
	CreatedBefore time.Time
}

// ErrWaiting means that a RowCancel selects no rows, or selects them in more than one way. It also means
// that a call for the rows of all tasks has IDs.
var ErrWaiting = errors.New("client: a RowCancel needs exactly one of Rows, IDs and All")

func (r *RowCancel) body() (map[string]any, error) {
	in := map[string]any{"dry_run": r.DryRun, "note": r.Note}
	switch byRows := r.Rows != (Waiting{}); {
	case byRows && len(r.IDs) == 0 && !r.All, r.All && len(r.IDs) == 0 && !byRows:
		in["filter"] = r.Rows
	case len(r.IDs) > 0 && !byRows && !r.All:
		in["ids"] = r.IDs
	default:
		return nil, ErrWaiting
	}
	for name, value := range map[string]string{
		"kind": r.Kind, "created_after": instant(r.CreatedAfter), "created_before": instant(r.CreatedBefore),
	} {
		if value != "" {
			in[name] = value
		}
	}
	return in, nil
}

// Canceled is the result of CancelRows or CancelAllRows.
type Canceled struct {
	Matched  int64
	Canceled int64
	Running  int64 // not canceled, because a worker has fetched them, or has run them meanwhile
	Tasks    int   // tasks with matching rows; 0 for CancelRows
}

func (t *Canceled) add(o *Canceled) {
	t.Matched, t.Canceled, t.Running, t.Tasks = t.Matched+o.Matched, t.Canceled+o.Canceled, t.Running+o.Running, t.Tasks+o.Tasks
}

// CancelRows cancels waiting rows of a task. The other rows of the task continue, and so do rows
// that already run. Repeating a call is safe.
func (c *Client) CancelRows(ctx context.Context, taskID string, r RowCancel) (*Canceled, error) {
	in, err := r.body()
	if err != nil {
		return nil, err
	}
	out := &Canceled{}
	return orNil(out, c.post(ctx, taskPath(taskID)+"/rows/cancel", "", in, out))
}

// CancelAllRows is like CancelRows, for the rows of all tasks that the fields Kind, CreatedAfter and
// CreatedBefore select. If a step fails, it returns the error and the result of the earlier steps.
func (c *Client) CancelAllRows(ctx context.Context, r RowCancel) (*Canceled, error) {
	sum := &Canceled{}
	in, err := r.bodyOfAll()
	if err != nil {
		return sum, err
	}
	return sum, steps(ctx, c, "/rows/cancel", in, sum.add)
}

func (r *RowCancel) bodyOfAll() (map[string]any, error) {
	if len(r.IDs) > 0 {
		return nil, ErrWaiting
	}
	return r.body()
}
