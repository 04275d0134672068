package rows

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// ReadCells reads cells from a JSON object that maps columns to texts. A null or an empty text clears a
// cell. The argument `at` is the JSON pointer to the object, for errors.
func ReadCells(raw json.RawMessage, at string) (review.Cells, error) {
	texts, err := jsonrows.Cells(raw)
	var bad *jsonrows.Malformed
	if errors.As(err, &bad) {
		if bad.Field != "" {
			at += "/" + problem.Pointer(bad.Field)
		}
		return nil, problem.New(http.StatusUnprocessableEntity, bad.Code, bad.Detail).At(at)
	}
	if err != nil {
		return nil, err
	}
	out := review.Cells{}
	for name, text := range texts {
		out[name] = textutil.Optional(text)
	}
	return out, nil
}

// SortedKeys returns the keys of a map, sorted.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// BulkRequest is the body of POST /tasks/{id}/resubmit, /repair and /skip. It is also the body of POST
// /rows/resubmit and /rows/skip, which change rows of all tasks.
type BulkRequest struct {
	Filter *FilterRequest `json:"filter"`
	IDs    []string       `json:"ids"`
	Patch  *struct {
		Set     json.RawMessage `json:"set"`
		Replace *review.Replace `json:"replace"`
	} `json:"patch"`
	State  string `json:"state"`
	Note   string `json:"note"`
	DryRun bool   `json:"dry_run"`

	Kind   string `json:"kind"`    // kind of the tasks, for acts below /rows; "": all kinds
	AsTask bool   `json:"as_task"` // for acts below /rows: run as a task of its own

	Superseded string `json:"superseded"` // for /resubmit: "run": superseded rows run, too; "": they do not
}

// FilterRequest is a selection of rows by conditions. Without a condition, it selects all failed rows and all rows
// in error.
type FilterRequest struct {
	Status     string            `json:"status,omitempty"`
	Code       string            `json:"code,omitempty"`
	Column     string            `json:"column,omitempty"`
	Key        string            `json:"key,omitempty"`
	RowGte     int               `json:"row_gte,omitempty"`
	Q          string            `json:"q,omitempty"`
	Resolution events.Resolution `json:"resolution,omitempty"`
	Print      string            `json:"fingerprint,omitempty"`
	RanRequest
}

// UnmarshalJSON rejects unknown fields and empty conditions. If it ignored a condition without a value,
// a request with only that condition would change all failed rows.
func (in *FilterRequest) UnmarshalJSON(text []byte) error {
	if err := noEmptyCondition(text, "a filter without conditions, {}, selects all failed rows"); err != nil {
		return err
	}
	type plain FilterRequest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode((*plain)(in))
}

// Bulk applies an act to many rows. If the act has resubmitted rows, Bulk wakes the feeder, even if an
// error has then stopped the act.
func (s *Service) Bulk(ctx context.Context, t *tasks.Task, p review.BulkAction) (review.Outcome, error) {
	out, err := s.Reviewer().Bulk(ctx, t, p)
	s.Cache.Invalidate(t.Tenant, t.ID)
	if out.Resubmitted > 0 {
		s.Wake(ctx, jobs.FeedTopic)
	}
	return out, err
}

// ReadRows copies the selection of rows into an act. It returns a problem if the request does not have
// exactly one valid selection.
func (in *BulkRequest) ReadRows(t *tasks.Task, p *review.BulkAction) (err error) {
	switch {
	case (in.Filter == nil) == (in.IDs == nil):
		return problem.BadField("filter", "Send either filter ({} selects all failed rows) or ids.")
	case len(in.IDs) > review.MaxSeqs:
		return problem.BadField("ids", fmt.Sprintf("ids has at most %d entries; use a filter for more.", review.MaxSeqs))
	case in.IDs != nil && len(in.IDs) == 0:
		return problem.BadField("ids", "ids is empty.")
	case in.IDs != nil:
		p.Seqs, err = seqsOf(t, in.IDs)
		return err
	}
	if p.Filter, err = in.Filter.Filter(); err != nil {
		return err
	}
	p.Query = in.Filter.Q
	p.Detail, err = json.Marshal(map[string]any{"filter": in.Filter})
	return err
}

func seqsOf(t *tasks.Task, ids []string) (out []int64, err error) {
	for i, id := range ids {
		taskID, seq, err := events.ParseJobID(id)
		if err != nil || taskID != t.ID || seq > t.Total {
			return nil, problem.BadField(fmt.Sprintf("ids.%d", i), fmt.Sprintf("The task has no row %.100q.", id))
		}
		out = append(out, seq)
	}
	return out, nil
}

// Filter returns the filter that the request describes.
func (in *FilterRequest) Filter() (f events.Filter, err error) {
	f = events.Filter{
		Code: in.Code, Column: in.Column, Key: in.Key, RowFrom: in.RowGte, Resolution: in.Resolution, Print: in.Print,
	}
	if f.Ran, err = in.RanRequest.read("filter."); err != nil {
		return f, err
	}
	if in.Status != "" {
		for status := range strings.SplitSeq(in.Status, ",") {
			if status := events.Status(status); !status.Bad() && status != events.Finish {
				return f, problem.BadField("filter.status", "status is failed, error or finish, or several with commas.")
			}
			f.Statuses = append(f.Statuses, events.Status(status))
		}
	}
	switch in.Resolution {
	case "", events.Open, events.Fixed, events.Skipped, events.Accepted, events.Superseded:
	default:
		return f, problem.BadField("filter.resolution", "resolution is open, fixed, skipped, accepted or superseded.")
	}
	for name, text := range map[string]string{"code": in.Code, "column": in.Column, "key": in.Key, "build": in.Build, "fingerprint": in.Print} {
		if !textutil.Storable(text) {
			return f, problem.BadField("filter."+name, name+" is not plain text.")
		}
	}
	if in.RowGte < 0 {
		return f, problem.BadField("filter.row_gte", "row_gte is a row number.")
	}
	return f, nil
}

// ReadPatch copies the changes of rows into an act. It returns a problem for invalid changes, and for
// changes in an act that cannot edit rows.
func (in *BulkRequest) ReadPatch(p *review.BulkAction) (err error) {
	edits := in.Patch != nil && (in.Patch.Set != nil || in.Patch.Replace != nil)
	switch {
	case in.Patch == nil && p.Act != review.Repair:
		return nil
	case p.Act == review.Skip || p.Act == review.Accept || p.Act == review.Reopen:
		return problem.BadField("patch", "Skipped rows cannot be edited.")
	case !edits || in.Patch.Set != nil && in.Patch.Replace != nil:
		return problem.BadField("patch", "patch is either set, texts by column, or replace, with column, find and with.")
	case in.Patch.Set != nil:
		p.Set, err = ReadCells(in.Patch.Set, "/patch/set")
		if err == nil && len(p.Set) == 0 {
			err = problem.BadField("patch.set", "set has no column.")
		}
		return err
	}
	p.Put = in.Patch.Replace
	switch {
	case p.Put.Column == "":
		return problem.BadField("patch.replace.column", "column is missing.")
	case p.Put.Find == "" && !p.Put.Whole:
		return problem.BadField("patch.replace.find", `find is empty: to fill empty cells, send "whole": true.`)
	}
	if wrong := review.CheckText(p.Put.With); wrong != "" {
		return problem.BadField("patch.replace.with", wrong)
	}
	return nil
}
