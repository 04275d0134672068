package view

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// RowError is the short form of a row with the status failed or error.
type RowError struct {
	EventID string        `json:"event_id"`
	Row     int           `json:"row" doc:"Row number in the file, as users see it."`
	Status  events.Status `json:"status"`
	Code    *string       `json:"code" doc:"Code of the cause. A corrected row keeps it."`
	Column  *string       `json:"column"`
	Value   *string       `json:"value"`
	Message *string       `json:"message" doc:"Null for a corrected row, like 'value' and 'hint'."`
	Hint    *string       `json:"hint"`

	Resolution events.Resolution `json:"resolution" doc:"What a user has decided about the row: 'fixed' for a corrected row."`
}

// Empty reports whether the row failed because a required cell was empty. A nil Value alone does not show
// this, because a failure from a handler may have no value.
func (e RowError) Empty() bool { return e.Code != nil && *e.Code == rowschema.CodeRequired }

// RowErrors returns the short forms of failed rows and rows in error of a task.
func (v Localizer) RowErrors(taskID string, list []events.Event) []RowError {
	out := []RowError{}
	for i := range list {
		e := v.Event(&list[i])
		one := RowError{EventID: e.ID.JobID(taskID), Row: e.Row, Status: e.Status, Code: e.Code, Column: e.Col, Resolution: e.State()}
		if !list[i].Faultless() {
			one.Value, one.Message, one.Hint = e.Value, e.Message, e.Hint
		}
		out = append(out, one)
	}
	return out
}

// Event is a row as the contract shows it.
type Event struct {
	ID          string          `json:"id"`
	TaskID      string          `json:"task_id" schema:"format=uuid"`
	Seq         int64           `json:"seq" doc:"Number of the data row, from 1."`
	Row         int             `json:"row" doc:"Row number in the file, as users see it."`
	Sheet       *string         `json:"sheet"`
	Key         *string         `json:"key"`
	Status      events.Status   `json:"status"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"max_attempts"`
	Params      json.RawMessage `json:"params" doc:"Values of the row as texts, by column."`
	Result      json.RawMessage `json:"result" doc:"Result of the handler."`
	Code        *string         `json:"code"`
	Column      *string         `json:"column"`
	Value       *string         `json:"value"`
	Message     *string         `json:"message"`
	Hint        *string         `json:"hint"`
	Fields      []FieldFault    `json:"fields" doc:"Invalid columns, if there are several."`
	Messages    []Message       `json:"messages"`
	Attempts    []Attempt       `json:"attempts" doc:"All attempts, oldest first."`
	QueuedAt    *string         `json:"queued_at" doc:"Time at which the row became ready to run; null until the row has started." schema:"time"`
	StartedAt   *string         `json:"started_at" schema:"time"`
	FinishedAt  *string         `json:"finished_at" schema:"time"`
	NextRunAt   *string         `json:"next_run_at" schema:"time"`
	Resolution  *Resolution     `json:"resolution"`
	Version     int             `json:"version"`
}

// FieldFault is the fault of one of several invalid columns of a row.
type FieldFault struct {
	Column  string `json:"column"`
	Value   string `json:"value"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Message is one message in the log of a row.
type Message struct {
	At         *string       `json:"at" schema:"time"`
	Attempt    int           `json:"attempt"`
	Status     events.Status `json:"status"`
	Text       string        `json:"text"`
	DurationMs int64         `json:"duration_ms"`
}

// View returns the view of a task's row.
func (v Localizer) View(t *tasks.Task, e *events.Event) Event {
	e = v.Event(e)
	return Event{
		ID: e.ID.JobID(t.ID), TaskID: t.ID, Seq: e.ID.Seq(), Row: e.Row,
		Sheet: textutil.Optional(t.FileSheet), Key: textutil.Optional(e.Key), Status: e.Status, Attempt: e.Attempt,
		MaxAttempts: e.Spared + v.Kind.MaxRetries + 1, Params: v.Kind.Show(json.RawMessage(e.Params)), Result: raw(e.Result, "null"),
		Code: e.Code, Column: e.Col, Value: e.Value, Message: e.Message, Hint: e.Hint,
		Fields: fieldsOf(e), Messages: v.messages(e), Attempts: v.attempts(e),
		QueuedAt: InstantOf(e.QueuedAt), StartedAt: InstantOf(e.StartedAt),
		FinishedAt: InstantOf(e.FinishedAt), NextRunAt: InstantOf(e.NextRunAt),
		Resolution: ofResolution(e), Version: e.Version,
	}
}

// fieldsOf returns the invalid columns of a row if there are several. Otherwise it returns an empty
// list, because the view of the event contains a single fault itself.
func fieldsOf(e *events.Event) []FieldFault {
	out := []FieldFault{}
	faults := e.Faults()
	if len(faults) < 2 {
		return out
	}
	for _, f := range faults {
		out = append(out, FieldFault{f.Column, f.Value, f.Code, f.Message, f.Hint})
	}
	return out
}

// raw returns stored JSON; the argument `none` if s is nil.
func raw(s *string, none string) json.RawMessage {
	if s == nil {
		return json.RawMessage(none)
	}
	return json.RawMessage(*s)
}

// InstantOf converts a time in unix milliseconds to RFC 3339. It returns nil for nil and for 0.
func InstantOf(ms *int64) *string {
	if ms == nil {
		return nil
	}
	return textutil.Instant(*ms)
}
