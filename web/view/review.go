package view

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// BulkResult is the result of an act on many rows. For a dry run, it is the expected result, except
// that Done and Resubmitted are 0.
type BulkResult struct {
	Act          review.Act   `json:"act" schema:"enum=repair|skip|accept|open|resubmit|undo"`
	DryRun       bool         `json:"dry_run"`
	ActID        *string      `json:"act_id" doc:"Id of the act, for '/undo'. Null: the act changed nothing that can be undone."`
	Matched      int64        `json:"matched"`
	Changed      int64        `json:"changed"`
	Valid        int64        `json:"valid"`
	StillInvalid int64        `json:"still_invalid"`
	Done         int64        `json:"done" doc:"Changed rows; 0 in a dry run."`
	Resubmitted  int64        `json:"resubmitted" doc:"Of these, the rows that run again; 0 in a dry run."`
	Superseded   int64        `json:"superseded" doc:"Rows that do not run; a dry run counts them too. If a newer row of their key has finished, they are resubmitted and end as superseded. If another row of their key counts under 'duplicates' of 'latest' or 'first', they stay superseded."`
	Conflicts    int64        `json:"conflicts" doc:"Rows that were changed in the meantime."`
	Sample       []BulkSample `json:"sample" schema:"maxItems=10"`
	Links        Links        `json:"links" schema:"ref=Links"`
}

// BulkTotal is the result of one step of an act on the rows of all tasks.
type BulkTotal struct {
	Act          review.Act `json:"act" schema:"enum=skip|accept|open|resubmit"`
	DryRun       bool       `json:"dry_run"`
	Tasks        int        `json:"tasks" doc:"Tasks with matching rows."`
	Closed       int        `json:"closed" doc:"Tasks whose rows can no longer be changed, such as canceled ones."`
	Matched      int64      `json:"matched"`
	StillInvalid int64      `json:"still_invalid"`
	Done         int64      `json:"done" doc:"Changed rows; 0 in a dry run."`
	Resubmitted  int64      `json:"resubmitted" doc:"Of these, the rows that run again; 0 in a dry run."`
	Superseded   int64      `json:"superseded" doc:"As in the response for one task."`
	Conflicts    int64      `json:"conflicts" doc:"Rows that were changed in the meantime."`
	Next         *string    `json:"next_cursor" doc:"Repeat the request with this value as 'cursor'; null: all tasks are done."`
}

// CancelResult is the result of a cancel of waiting rows.
type CancelResult struct {
	DryRun   bool  `json:"dry_run"`
	Matched  int64 `json:"matched" doc:"Waiting rows that the filter chooses."`
	Canceled int64 `json:"canceled" doc:"Of these, the canceled ones; 0 in a dry run."`
	Running  int64 `json:"running" doc:"Of these, those that a worker had taken already; 0 in a dry run."`
}

// CancelTotal is the result of one step of a cancel of the waiting rows of all tasks.
type CancelTotal struct {
	CancelResult
	Tasks int     `json:"tasks" doc:"Tasks with such rows."`
	Next  *string `json:"next_cursor" doc:"Repeat the request with this value as 'cursor'; null: all tasks are done."`
}

// BulkSample is one row whose cells an act changes, or that has known faults afterwards. It holds the
// changes of the row and its remaining faults.
type BulkSample struct {
	EventID string             `json:"event_id"`
	Row     int                `json:"row"`
	Before  map[string]*string `json:"before"`
	After   map[string]*string `json:"after"`
	Fields  []FieldFault       `json:"fields"`
}

// BulkResult returns the view of an act on rows of a task.
func (v Localizer) BulkResult(t *tasks.Task, p review.BulkAction, o review.Outcome) BulkResult {
	out := BulkResult{
		p.Act, p.DryRun, textutil.Optional(o.ActID), o.Matched, o.Changed, o.Valid, o.StillInvalid, o.Done, o.Resubmitted, o.Superseded, o.Moved,
		[]BulkSample{},
		TaskLinks(t.ID),
	}
	for _, one := range o.Sample {
		row := BulkSample{
			EventID: one.Event.ID.JobID(t.ID), Row: one.Event.Row,
			Before: maskedCells(v.Kind, one.Before), After: maskedCells(v.Kind, one.After),
			Fields: []FieldFault{},
		}
		for _, f := range v.Fields(fieldsIn(one.Fault)) {
			row.Fields = append(row.Fields, FieldFault{f.Column, f.Value, f.Code, f.Message, f.Hint})
		}
		out.Sample = append(out.Sample, row)
	}
	return out
}

// fieldsIn returns the invalid columns of a failure. It returns nil for a nil failure.
func fieldsIn(f *events.Failure) []events.Field {
	if f == nil {
		return nil
	}
	if len(f.Fields) > 0 {
		return f.Fields
	}
	return []events.Field{{
		Column: f.Column, Value: f.Value, Code: f.Code, Message: f.Message, Hint: f.Hint, Args: f.Args,
	}}
}

// maskedCells returns a copy of cells in which sensitive values are masked.
func maskedCells(kind jobs.Kind, cells map[string]*string) map[string]*string {
	out := map[string]*string{}
	for name, text := range cells {
		out[name] = text
		if text == nil {
			continue
		}
		raw, err := json.Marshal(map[string]string{name: *text})
		var shown map[string]string
		if err == nil && json.Unmarshal(kind.Show(raw), &shown) == nil {
			masked := shown[name]
			out[name] = &masked
		}
	}
	return out
}

// Resolution is the state of a row that has failed or is in error: open, or the last decision about the
// row.
type Resolution struct {
	State events.Resolution `json:"state"`
	By    *string           `json:"by"`
	At    *string           `json:"at" schema:"time"`
	Note  *string           `json:"note"`
}

// ofResolution returns the view of the resolution of a row; nil if the row has none.
func ofResolution(e *events.Event) *Resolution {
	if e.State() == "" {
		return nil
	}
	return &Resolution{e.State(), e.ResolvedBy, InstantOf(e.ResolvedAt), e.ResolutionNote}
}
