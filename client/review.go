package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// Cells are texts by column; nil clears a cell.
type Cells map[string]*string

// Text returns a cell.
func Text(s string) *string { return &s }

// Patch is a change of one bad row.
type Patch struct {
	Params     Cells  `json:"params,omitempty"`
	Resolution string `json:"resolution,omitempty"` // open, fixed or skipped
	Note       string `json:"note,omitempty"`       // the reason, for the audit
}

// Repair changes a row, given its version. The row is validated at once, and stored even if it is
// still invalid; its Code then says so. Resubmit runs it again. If another user has changed the
// row, Repair returns a *Problem ROW_CHANGED with the current Version.
func (c *Client) Repair(ctx context.Context, id string, version int, p Patch) (*Event, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	out := &Event{}
	return out, c.exchange(ctx, call{
		method: http.MethodPatch, path: eventPath(id), body: text, header: map[string]string{
			"Content-Type": "application/json", "If-Match": strconv.Quote(strconv.Itoa(version)),
		},
	}, out)
}

// Press is an action on many bad rows of a task.
type Press struct {
	// Filter selects bad rows by its conditions.
	Filter Filter

	// IDs selects up to 1,000 rows by the ids of their events.
	IDs []string

	// All selects all bad rows of the task. Set exactly one of Filter, IDs and All. Otherwise the
	// methods return ErrPress, and make no request.
	All bool

	// Set writes texts by column; nil clears a cell.
	Set Cells

	// Replace writes With into cells of a column that hold Find. Set only one of Set and Replace.
	Replace *Replace

	Note   string // the reason, for the audit
	Reopen bool   // for Skip: undoes it
	DryRun bool   // returns the counts and ten rows, and changes nothing

	// Anyway, for Resubmit, runs rows even if a newer row of their key has finished. Without it
	// they end as superseded.
	Anyway bool
}

// Replace is a search in the cells of one column.
type Replace struct {
	Column string `json:"column"`
	Find   string `json:"find"`
	With   string `json:"with"`
	Whole  bool   `json:"whole,omitempty"` // the whole cell, not a part of it
}

// Outcome is the result of an action on many rows; for a dry run, the expected result.
type Outcome struct {
	Act          string
	DryRun       bool `json:"dry_run"`
	Matched      int64
	Changed      int64
	Valid        int64
	StillInvalid int64 `json:"still_invalid"`
	Done         int64
	Resubmitted  int64
	Superseded   int64 // rows that will not run, since a newer row of their key has finished
	Conflicts    int64 // rows changed by another user meanwhile
	Sample       []struct {
		EventID string `json:"event_id"`
		Row     int
		Before  Cells
		After   Cells
		Fields  []FieldError
	}
}

// RepairAll writes into the selected rows, without running them.
func (c *Client) RepairAll(ctx context.Context, taskID string, p Press) (*Outcome, error) {
	return c.press(ctx, taskID, "repair", p)
}

// Resubmit runs the selected rows again, in the same task, after the writes of Set or Replace. Rows
// that are still invalid do not run. It may be repeated.
func (c *Client) Resubmit(ctx context.Context, taskID string, p Press) (*Outcome, error) {
	return c.press(ctx, taskID, "resubmit", p)
}

// Skip marks the selected rows as skipped or, with Reopen, restores them.
func (c *Client) Skip(ctx context.Context, taskID string, p Press) (*Outcome, error) {
	return c.press(ctx, taskID, "skip", p)
}

// ErrPress means a Press without a selection of rows, or with more than one.
var ErrPress = errors.New("client: a Press names rows by Filter, IDs or All, and by one of them only")

// rows adds the selection of rows to a request.
func (p *Press) rows(in map[string]any) error {
	switch byFilter := p.Filter != (Filter{}); {
	case byFilter && len(p.IDs) == 0 && !p.All:
		in["filter"] = p.Filter
	case len(p.IDs) > 0 && !byFilter && !p.All:
		in["ids"] = p.IDs
	case p.All && !byFilter && len(p.IDs) == 0:
		in["filter"] = Filter{}
	default:
		return ErrPress
	}
	return nil
}

func (c *Client) press(ctx context.Context, taskID, act string, p Press) (*Outcome, error) {
	in := map[string]any{"dry_run": p.DryRun, "note": p.Note}
	if p.Anyway {
		in["superseded"] = "run"
	}
	if err := p.rows(in); err != nil {
		return nil, err
	}
	switch {
	case p.Set != nil:
		in["patch"] = map[string]any{"set": p.Set}
	case p.Replace != nil:
		in["patch"] = map[string]any{"replace": p.Replace}
	}
	if p.Reopen {
		in["state"] = "open"
	}
	out := &Outcome{}
	return out, c.post(ctx, taskPath(taskID)+"/"+act, "", in, out)
}

// Corrections is the result of a corrected file.
type Corrections struct {
	DryRun       bool `json:"dry_run"`
	Matched      int
	Changed      int
	Resubmitted  int
	StillInvalid int `json:"still_invalid"`
	Refused      int
	Conflicts    int
	Unchanged    int
	Message      string
	Warnings     []string
}

// Correct sends a result file that a person has corrected: changed rows run again. With dry it only
// returns the expected result. It uses File, FileName and Options of up; the file is streamed and
// resent as in Upload.
func (c *Client) Correct(ctx context.Context, taskID string, up Upload, dry bool) (*Corrections, error) {
	options, err := json.Marshal(up.Options)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	fields := [][2]string{{"options", string(options)}, {"dry_run", strconv.FormatBool(dry)}}
	r, err := form(taskPath(taskID)+"/corrections", fields, up.FileName, up.File)
	if err != nil {
		return nil, err
	}
	r.header["Idempotency-Key"] = keyOr(up.IdempotencyKey)
	out := &Corrections{}
	return out, c.exchange(ctx, r, out)
}

// Result opens the rows of a task as a file. format is xlsx, csv, tsv or jsonl, or "" for the
// format of the upload. only is failed, error, finish or unprocessed, or "" for all. The caller
// closes the file. An incomplete response ends in an error, never in io.EOF.
func (c *Client) Result(ctx context.Context, taskID, format, only string) (io.ReadCloser, error) {
	q := url.Values{}
	if format != "" {
		q.Set("format", format)
	}
	if only != "" {
		q.Set("only", only)
	}
	res, err := c.do(ctx, call{method: http.MethodGet, path: taskPath(taskID) + "/result?" + q.Encode()})
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}
