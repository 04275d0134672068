package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// CancelRequest is the body of POST /tasks/{id}/rows/cancel, and of POST /rows/cancel.
type CancelRequest struct {
	Filter *CancelFilter `json:"filter"`
	IDs    []string      `json:"ids"`
	Note   string        `json:"note"`
	DryRun bool          `json:"dry_run"`
	AsTask bool          `json:"as_task"` // for /rows/cancel: run as a task of its own
	ReachRequest
}

// CancelFilter is a selection of waiting rows by conditions. Without a condition, it selects all waiting
// rows. The conditions Code and Column select rows that wait for a retry, by their last failure.
type CancelFilter struct {
	Code   string `json:"code,omitempty"`
	Column string `json:"column,omitempty"`
	Key    string `json:"key,omitempty"`
	RowGte int    `json:"row_gte,omitempty"`
	Q      string `json:"q,omitempty"`
}

// UnmarshalJSON rejects unknown fields and empty conditions. If it ignored a condition without a value,
// a request with only that condition would cancel all waiting rows.
func (in *CancelFilter) UnmarshalJSON(text []byte) error {
	if err := noEmptyCondition(text, "a filter without conditions, {}, selects all waiting rows"); err != nil {
		return err
	}
	type plain CancelFilter
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode((*plain)(in))
}

// noEmptyCondition returns an error if a condition of a filter is an empty or blank text. A blank key is
// allowed, because keys are compared unchanged.
func noEmptyCondition(filter []byte, says string) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(filter, &given); err != nil {
		return err
	}
	for _, name := range SortedKeys(given) {
		text := "not a text"
		if given[name][0] == '"' {
			if err := json.Unmarshal(given[name], &text); err != nil {
				return err
			}
		}
		if text == "" || name != "key" && strings.TrimSpace(text) == "" {
			return problem.BadField("filter."+name, fmt.Sprintf("%s is empty. Omit it; %s.", name, says))
		}
	}
	return nil
}

// ReachRequest is the part of a CancelRequest that selects tasks, by kind and by time of creation. POST
// /rows/cancel cancels matching rows of these tasks.
type ReachRequest struct {
	Kind          string `json:"kind"` // "": all kinds
	CreatedAfter  string `json:"created_after"`
	CreatedBefore string `json:"created_before"`
}

// Reach returns the tasks that the request selects.
func (in ReachRequest) Reach() (r Reach, err error) {
	r.Kind = in.Kind
	if r.Since, err = parseTime("", "created_after", in.CreatedAfter); err == nil {
		r.Until, err = parseTime("", "created_before", in.CreatedBefore)
	}
	return r, err
}

// CancelAct is a selection of waiting rows to cancel.
type CancelAct struct {
	Filter events.Filter
	Query  string // a text that the row must contain
	Note   string
	Detail any // the selection, for the audit log
	DryRun bool
}

// Act validates the request and returns the selection of the rows of task `t` to cancel. If the request
// selects rows of all tasks, `t` is the zero Task.
func (in *CancelRequest) Act(t *tasks.Task) (c CancelAct, err error) {
	c = CancelAct{Note: in.Note, DryRun: in.DryRun}
	if err := CheckReason(false, in.Note); err != nil {
		return c, err
	}
	switch {
	case (in.Filter == nil) == (in.IDs == nil):
		return c, problem.BadField("filter", "Send either filter ({} selects all waiting rows) or ids.")
	case len(in.IDs) > review.MaxSeqs:
		return c, problem.BadField("ids", fmt.Sprintf("ids has at most %d entries; use a filter for more.", review.MaxSeqs))
	case in.IDs != nil && len(in.IDs) == 0:
		return c, problem.BadField("ids", "ids is empty.")
	case in.IDs != nil:
		c.Detail = map[string]any{"ids": in.IDs}
		c.Filter.Seqs, err = seqsOf(t, in.IDs)
		return c, err
	}
	c.Detail, c.Query = map[string]any{"filter": in.Filter}, in.Filter.Q
	c.Filter, err = in.Filter.filter()
	return c, err
}

func (in *CancelFilter) filter() (events.Filter, error) {
	for _, f := range [][2]string{{"code", in.Code}, {"column", in.Column}, {"key", in.Key}} {
		if !textutil.Storable(f[1]) {
			return events.Filter{}, problem.BadField("filter."+f[0], f[0]+" is not plain text.")
		}
	}
	if in.RowGte < 0 {
		return events.Filter{}, problem.BadField("filter.row_gte", "row_gte is a row number.")
	}
	return events.Filter{Code: in.Code, Column: in.Column, Key: in.Key, RowFrom: in.RowGte}, nil
}
