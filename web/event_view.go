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
	Row     int           `json:"row" doc:"As the person sees it in the file."`
	Status  events.Status `json:"status"`
	Code    *string       `json:"code"`
	Column  *string       `json:"column"`
	Value   *string       `json:"value"`
	Message *string       `json:"message"`
	Hint    *string       `json:"hint"`
}

// Empty tells that the cell was left empty. A value may also not have been told.
func (e errorView) Empty() bool { return e.Code != nil && *e.Code == worker.CodeRequired }

func (v voice) errors(taskID string, list []events.Event) []errorView {
	out := []errorView{}
	for i := range list {
		e := v.event(&list[i])
		out = append(out, errorView{
			e.ID.JobID(taskID), e.Row, e.Status, e.Code, e.Col, e.Value, e.Message, e.Hint,
		})
	}
	return out
}

// eventView is an event as the contract shows it.
type eventView struct {
	ID          string           `json:"id"`
	TaskID      string           `json:"task_id" schema:"format=uuid"`
	Seq         int64            `json:"seq" doc:"Data rows count from 1."`
	Row         int              `json:"row" doc:"As the person sees it in the file."`
	Sheet       *string          `json:"sheet"`
	Key         *string          `json:"key"`
	Status      events.Status    `json:"status"`
	Attempt     int              `json:"attempt"`
	MaxAttempts int              `json:"max_attempts"`
	Params      json.RawMessage  `json:"params" doc:"What it held: texts by column."`
	Result      json.RawMessage  `json:"result" doc:"What its handler said."`
	Code        *string          `json:"code"`
	Column      *string          `json:"column"`
	Value       *string          `json:"value"`
	Message     *string          `json:"message"`
	Hint        *string          `json:"hint"`
	Fields      []fieldView      `json:"fields" doc:"The columns at fault if they are several."`
	Messages    []messageView    `json:"messages"`
	Attempts    []rowAttemptView `json:"attempts" doc:"All of them, oldest first."`
	QueuedAt    *string          `json:"queued_at" doc:"Since when it could have run, told once it has begun: up to started_at it waited for a worker." schema:"time"`
	StartedAt   *string          `json:"started_at" schema:"time"`
	FinishedAt  *string          `json:"finished_at" schema:"time"`
	NextRunAt   *string          `json:"next_run_at" schema:"time"`
	Resolution  *resolutionView  `json:"resolution"`
	Version     int              `json:"version"`
}

// fieldView is one of several columns at fault.
type fieldView struct {
	Column  string `json:"column"`
	Value   string `json:"value"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

type messageView struct {
	At         *string       `json:"at" schema:"time"`
	Attempt    int           `json:"attempt"`
	Status     events.Status `json:"status"`
	Text       string        `json:"text"`
	DurationMs int64         `json:"duration_ms"`
}

func (v voice) view(t *tasks.Task, e *events.Event) eventView {
	e = v.event(e)
	return eventView{
		ID: e.ID.JobID(t.ID), TaskID: t.ID, Seq: e.ID.Seq(), Row: e.Row,
		Sheet: optional(t.FileSheet), Key: optional(e.Key), Status: e.Status, Attempt: e.Attempt,
		MaxAttempts: e.Spared + v.kind.MaxRetries + 1, Params: v.kind.Show(json.RawMessage(e.Params)), Result: raw(e.Result, "null"),
		Code: e.Code, Column: e.Col, Value: e.Value, Message: e.Message, Hint: e.Hint,
		Fields: fieldsOf(e), Messages: v.messages(e), Attempts: v.attempts(e),
		QueuedAt: reached(e.QueuedAt), StartedAt: reached(e.StartedAt),
		FinishedAt: reached(e.FinishedAt), NextRunAt: reached(e.NextRunAt),
		Resolution: viewResolution(e), Version: e.Version,
	}
}

// fieldsOf are the columns at fault, if they are several: one is told by the
// event itself.
func fieldsOf(e *events.Event) []fieldView {
	out := []fieldView{}
	faults := e.Faults()
	if len(faults) < 2 {
		return out
	}
	for _, f := range faults {
		out = append(out, fieldView{f.Column, f.Value, f.Code, f.Message, f.Hint})
	}
	return out
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
