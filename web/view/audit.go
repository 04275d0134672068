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
	By      string             `json:"by" doc:"Id of an API key, 'oidc:' and the name of a user, 'local' without a credential, or 'system' for the service."`
	Act     string             `json:"act" doc:"Name of the act. For a task and its rows: 'create', 'pause', 'resume', 'cancel', 'cancel-rows', 'patch', 'fix', 'open', 'skip', 'accept', 'resubmit', 'undo' or 'delete-row'." schema:"examples=patch|rotate|kill-failed"`
	Target  string             `json:"target" doc:"Id of a task, key, webhook, delivery, schedule or file, or name of a queue, node or tenant."`
	EventID *string            `json:"event_id"` // the row that the entry is about, if any
	Touched *int64             `json:"touched" doc:"Number of changed rows or keys. Null: the act is running, or its process died."`
	Before  map[string]*string `json:"before,omitempty"`
	After   map[string]*string `json:"after,omitempty"`
	Code    string             `json:"code,omitempty" doc:"Code of the fault that remains after an edit."`
	Note    string             `json:"note,omitempty"`
	First   int                `json:"first_row,omitempty"`
	Last    int                `json:"last_row,omitempty"`
	ActID   string             `json:"act_id,omitempty" doc:"Id of an act on rows, for '/undo'."`
	Detail  json.RawMessage    `json:"detail" doc:"Data of the act, such as its filter or the new limits. Null for an act without data."`
}

// OfAuditEntry returns the view of an audit entry. Touched is nil if the act has not ended.
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

// OfTaskAuditEntry returns the view of an audit entry about a task. Sensitive cells are masked.
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
