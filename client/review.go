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

// Cells holds texts by column. Nil clears a cell.
type Cells map[string]*string

// Text returns a pointer to a text, for Cells.
func Text(s string) *string { return &s }

// Patch is a change of one bad row: a row that failed or is in error.
type Patch struct {
	Params     Cells  `json:"params,omitempty"`
	Resolution string `json:"resolution,omitempty"` // open, fixed, skipped or accepted
	Note       string `json:"note,omitempty"`       // the reason, for the audit log; needed for accepted
}

// Repair changes a row that has the given version. The service validates and stores the row. If the
// row is still invalid, its Code in the result is not "". Repair does not run the row; Resubmit
// does. If the row has another version by now, Repair returns a *Problem with the Code ROW_CHANGED
// and the current Version.
func (c *Client) Repair(ctx context.Context, id string, version int, p Patch) (*Event, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	out := &Event{}
	return orNil(out, c.exchange(ctx, call{
		method: http.MethodPatch, path: eventPath(id), body: text, header: map[string]string{
			"Content-Type": "application/json", "If-Match": strconv.Quote(strconv.Itoa(version)),
		},
	}, out))
}

// BulkAction is an action on many bad rows: rows that failed or are in error.
type BulkAction struct {
	// Filter selects bad rows by its conditions. Resubmit can also select finished rows: if Build or
	// FinishedGte is set, and Set and Replace are not, Filter.Status may contain finish.
	Filter Filter

	// IDs selects up to 1,000 rows by the ids of their events.
	IDs []string

	// All selects all bad rows. Set exactly one of Filter, IDs and All. Otherwise the methods of Client
	// return ErrSelection without a request.
	All bool

	// Set writes texts into columns of the rows. Nil clears a cell.
	Set Cells

	// Replace replaces a text in the cells of one column. Use only one of Set and Replace.
	Replace *Replace

	Note   string // the reason, for the audit log
	Reopen bool   // for Skip: undoes an earlier Skip
	Accept bool   // for Skip: accepts the rows as they are; Note is the reason
	DryRun bool   // returns the counts and up to ten rows, and changes nothing

	// Anyway makes Resubmit run rows even if a newer row of their key has finished. Otherwise these
	// rows end as superseded.
	Anyway bool
}

// Replace is a search for a text in the cells of one column, and its replacement.
type Replace struct {
	Column string `json:"column"`
	Find   string `json:"find"`            // may be "" only with Whole
	With   string `json:"with"`            // if it contains Find, a repeated call changes cells again
	Whole  bool   `json:"whole,omitempty"` // the whole cell, not a part of it
}

// Outcome is the result of an action on many rows, or the expected result of a dry run.
type Outcome struct {
	Act          string
	DryRun       bool `json:"dry_run"`
	Matched      int64
	Changed      int64
	Valid        int64
	StillInvalid int64 `json:"still_invalid"`
	Done         int64 // changed rows; 0 in a dry run
	Resubmitted  int64 // of Done, rows that run again
	Superseded   int64 // rows that will not run, because another row of their key replaces them
	Conflicts    int64 // rows changed by another user meanwhile
	Sample       []struct {
		EventID string `json:"event_id"`
		Row     int
		Before  Cells
		After   Cells
		Fields  []FieldError
	}
}

// RepairAll applies p.Set or p.Replace to the selected rows. It does not run them.
func (c *Client) RepairAll(ctx context.Context, taskID string, p BulkAction) (*Outcome, error) {
	return c.bulk(ctx, taskID, "repair", p)
}

// Resubmit applies p.Set or p.Replace, if one is set, to the selected rows, and runs them again in the same
// task. Rows that are still invalid do not run. A repeated call leaves out the rows that already run again.
func (c *Client) Resubmit(ctx context.Context, taskID string, p BulkAction) (*Outcome, error) {
	return c.bulk(ctx, taskID, "resubmit", p)
}

// Skip marks the selected rows as skipped or, if p.Accept is set, as accepted. If p.Reopen is set,
// skipped and accepted rows become open again instead.
func (c *Client) Skip(ctx context.Context, taskID string, p BulkAction) (*Outcome, error) {
	return c.bulk(ctx, taskID, "skip", p)
}

// ErrSelection means that a BulkAction selects no rows, or selects them in more than one way. It also
// means that a call for the rows of all tasks has IDs.
var ErrSelection = errors.New("client: a BulkAction needs exactly one of Filter, IDs and All")

// addRows adds the selection of rows to a request.
func (p *BulkAction) addRows(in map[string]any) error {
	switch byFilter := p.Filter != (Filter{}); {
	case byFilter && len(p.IDs) == 0 && !p.All:
		in["filter"] = p.Filter
	case len(p.IDs) > 0 && !byFilter && !p.All:
		in["ids"] = p.IDs
	case p.All && !byFilter && len(p.IDs) == 0:
		in["filter"] = Filter{}
	default:
		return ErrSelection
	}
	return nil
}

func (c *Client) bulk(ctx context.Context, taskID, act string, p BulkAction) (*Outcome, error) {
	in, err := p.body()
	if err != nil {
		return nil, err
	}
	out := &Outcome{}
	return orNil(out, c.post(ctx, taskPath(taskID)+"/"+act, "", in, out))
}

func (p *BulkAction) body() (map[string]any, error) {
	in := map[string]any{"dry_run": p.DryRun, "note": p.Note}
	if p.Anyway {
		in["superseded"] = "run"
	}
	if err := p.addRows(in); err != nil {
		return nil, err
	}
	switch {
	case p.Set != nil:
		in["patch"] = map[string]any{"set": p.Set}
	case p.Replace != nil:
		in["patch"] = map[string]any{"replace": p.Replace}
	}
	switch {
	case p.Reopen:
		in["state"] = "open"
	case p.Accept:
		in["state"] = "accepted"
	}
	return in, nil
}

// Corrections is the result of Client.Correct. Its numbers count rows.
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

// Correct sends a result file that a user has corrected. The service runs the changed rows again.
// If `dry` is true, Correct only returns the expected result. Of the Upload, it uses the fields
// File, FileName, Options and IdempotencyKey. It streams the file in one request.
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
	return orNil(out, c.exchange(ctx, r, out))
}

// Result returns the rows of a task as a file, which the caller closes. The format is xlsx, csv, tsv or
// jsonl, or "" for the format of the upload. The argument `only` is failed, error, finish or
// unprocessed, or "" for all rows. With failed, superseded rows are left out. For an export, both must
// be "", and Result returns its file. If the response is incomplete, reading ends with an error other
// than io.EOF.
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
