package web

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// errorView is a row that failed, in short.
type errorView struct {
	EventID string        `json:"event_id"`
	Row     int           `json:"row"`
	Status  events.Status `json:"status"`
	Code    *string       `json:"code"`
	Column  *string       `json:"column"`
	Value   *string       `json:"value"`
	Message *string       `json:"message"`
	Hint    *string       `json:"hint"`
}

// Empty tells that the cell was left empty. A value may also not have been told.
func (e errorView) Empty() bool { return e.Code != nil && *e.Code == worker.CodeRequired }

func viewErrors(taskID string, list []events.Event) []errorView {
	out := []errorView{}
	for i := range list {
		e := &list[i]
		out = append(out, errorView{
			e.ID.JobID(taskID), e.Row, e.Status, e.Code, e.Col, e.Value, e.Message, e.Hint,
		})
	}
	return out
}

// eventView is an event as the contract shows it.
type eventView struct {
	ID          string          `json:"id"`
	TaskID      string          `json:"task_id"`
	Seq         int64           `json:"seq"`
	Row         int             `json:"row"`
	Sheet       *string         `json:"sheet"`
	Key         *string         `json:"key"`
	Status      events.Status   `json:"status"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"max_attempts"`
	Params      json.RawMessage `json:"params"`
	Result      json.RawMessage `json:"result"`
	Code        *string         `json:"code"`
	Column      *string         `json:"column"`
	Value       *string         `json:"value"`
	Message     *string         `json:"message"`
	Hint        *string         `json:"hint"`
	Fields      json.RawMessage `json:"fields"`
	Messages    []messageView   `json:"messages"`
	QueuedAt    *string         `json:"queued_at"`
	StartedAt   *string         `json:"started_at"`
	FinishedAt  *string         `json:"finished_at"`
	NextRunAt   *string         `json:"next_run_at"`
	Resolution  *struct{}       `json:"resolution"`
	Version     int             `json:"version"`
}

type messageView struct {
	At         *string       `json:"at"`
	Attempt    int           `json:"attempt"`
	Status     events.Status `json:"status"`
	Text       string        `json:"text"`
	DurationMs int64         `json:"duration_ms"`
}

func viewEvent(t *tasks.Task, kind worker.Kind, e *events.Event) eventView {
	v := eventView{
		ID: e.ID.JobID(t.ID), TaskID: t.ID, Seq: e.ID.Seq(), Row: e.Row,
		Sheet: optional(t.FileSheet), Key: optional(e.Key), Status: e.Status, Attempt: e.Attempt,
		MaxAttempts: kind.MaxRetries + 1, Params: json.RawMessage(e.Params), Result: raw(e.Result, "null"),
		Code: e.Code, Column: e.Col, Value: e.Value, Message: e.Message, Hint: e.Hint,
		Fields: raw(e.Fields, "[]"), Messages: []messageView{},
		QueuedAt: reached(e.QueuedAt), StartedAt: reached(e.StartedAt),
		FinishedAt: reached(e.FinishedAt), NextRunAt: reached(e.NextRunAt), Version: e.Version,
	}
	for _, n := range e.Notes() {
		v.Messages = append(v.Messages,
			messageView{instant(n.At), n.Attempt, n.Status, n.Text, n.Duration})
	}
	return v
}

// raw is stored JSON, or what stands for none.
func raw(s *string, none string) json.RawMessage {
	if s == nil {
		return json.RawMessage(none)
	}
	return json.RawMessage(*s)
}

func reached(ms *int64) *string {
	if ms == nil {
		return nil
	}
	return instant(*ms)
}
