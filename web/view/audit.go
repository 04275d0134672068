package view

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// AuditEntry is one entry of the audit log.
type AuditEntry struct {
	At      *string            `json:"at" schema:"time"`
	By      string             `json:"by" doc:"The id of a key, 'oidc:' and a name, or 'local'."`
	Act     string             `json:"act" doc:"Of a task and its rows 'create', 'pause', 'resume', 'cancel', 'patch', 'fix', 'open', 'skip', 'resubmit' or 'undo'." schema:"examples=patch|rotate|kill-failed"`
	Target  string             `json:"target" doc:"The id of a task, a key or a webhook; the name of a queue, a node or a tenant."`
	EventID *string            `json:"event_id"` // the row, if it is about one
	Touched *int64             `json:"touched" doc:"Number of rows or keys. Null: the action is running, or its process died."`
	Before  map[string]*string `json:"before,omitempty"`
	After   map[string]*string `json:"after,omitempty"`
	Code    string             `json:"code,omitempty" doc:"Of the fault that an edit left."`
	Note    string             `json:"note,omitempty"`
	First   int                `json:"first_row,omitempty"`
	Last    int                `json:"last_row,omitempty"`
	ActID   string             `json:"act_id,omitempty" doc:"Names an act on rows for '/undo'."`
	Detail  json.RawMessage    `json:"detail" doc:"The request, for many rows or keys; else null."`
}

// OfAuditEntry returns the view of an entry. Touched is nil for an act that has not ended.
func OfAuditEntry(e *audit.Entry) AuditEntry {
	d := &e.Detail
	v := AuditEntry{
		At: textutil.Instant(e.At), By: e.Actor, Act: e.Act, Target: e.Target, Touched: &e.Touched,
		Code: d.Code, Note: d.Note, First: d.First, Last: d.Last, ActID: d.ActID, Detail: d.Request,
	}
	if e.Touched == audit.InProgress {
		v.Touched = nil
	}
	return v
}

// OfTaskAuditEntry returns the view of an entry about a task; sensitive cells are masked.
func OfTaskAuditEntry(t *tasks.Task, kind jobs.Kind, e *audit.Entry) AuditEntry {
	v := OfAuditEntry(e)
	v.Target = t.ID
	if e.Seq > 0 {
		v.EventID = textutil.Optional(events.NewID(t.Num, e.Seq).JobID(t.ID))
	}
	if e.Detail.After != nil {
		v.Before, v.After = maskedCells(kind, e.Detail.Before), maskedCells(kind, e.Detail.After)
	}
	return v
}
