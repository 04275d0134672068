package view

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Attempt is one attempt on a row.
type Attempt struct {
	Attempt   int            `json:"attempt" doc:"From 1; an interrupted or lost one may have the number of the next. 0: it came to rest without a run."`
	Outcome   events.Outcome `json:"outcome" doc:"'lost': its process ended without an outcome." schema:"enum=running|finish|failed|retry|error|interrupted|lost"`
	QueuedAt  *string        `json:"queued_at" schema:"time"`
	StartedAt *string        `json:"started_at" schema:"time"`
	EndedAt   *string        `json:"ended_at" schema:"time"`
	Code      *string        `json:"code"`
	Column    *string        `json:"column"`
	Value     *string        `json:"value"`
	Message   *string        `json:"message" doc:"The fault of the row; for a system error without details."`
	Worker    *string        `json:"worker" doc:"The process that ran it, for 'ops:read'."`
	Build     *string        `json:"build" doc:"The version of its program, for 'ops:read'."`
	Type      *string        `json:"error_type" doc:"Of a system fault, for 'ops:read'."`
	Error     *string        `json:"error" doc:"Text of a system fault, for 'ops:read'."`
	Stack     *string        `json:"stack" doc:"Where a panic was, for 'ops:read'."`
}

// attempts returns the attempts on a row, as the caller may see them.
func (v Localizer) attempts(e *events.Event) []Attempt {
	out := []Attempt{}
	for _, a := range e.Attempts(v.Runner(e.RanBy)) {
		out = append(out, v.Attempt(&a))
	}
	return out
}

// Attempt returns the view of an attempt. Only operators get the process and the text of a system
// fault.
func (v Localizer) Attempt(a *events.Attempt) Attempt {
	out := Attempt{
		Attempt: a.N, Outcome: a.Outcome,
		QueuedAt: textutil.Instant(a.QueuedAt), StartedAt: textutil.Instant(a.StartedAt), EndedAt: textutil.Instant(a.EndedAt),
	}
	switch {
	case len(a.Faults) > 0:
		f := v.Field(a.Faults[0])
		out.Code, out.Column, out.Value, out.Message = textutil.Optional(f.Code), textutil.Optional(f.Column), textutil.Optional(f.Value), textutil.Optional(f.Message)
	case a.Outcome == events.RetriedFault, a.Outcome == events.LastFault:
		out.Code, out.Message = textutil.Optional(jobs.CodeSystem), textutil.Optional(v.systemFault())
	}
	if v.Operator {
		out.Worker, out.Build = textutil.Optional(a.Worker), textutil.Optional(a.Build)
		out.Type, out.Error, out.Stack = textutil.Optional(a.Type), textutil.Optional(a.Text), textutil.Optional(a.Stack)
	}
	return out
}

// systemFault returns the text that replaces a system fault for callers other than operators.
func (v Localizer) systemFault() string {
	text, _ := words.Say(v.Lang, "fault", nil)
	return text
}

// messages returns the message log, as the caller may see it.
func (v Localizer) messages(e *events.Event) []Message {
	out := []Message{}
	for _, n := range e.Notes() {
		if text := v.Note(&n); text != "" {
			out = append(out, Message{textutil.Instant(n.At), n.Attempt, n.Status, text, n.Duration})
		}
	}
	return out
}

// Note returns the text of a note, as the caller may see it.
func (v Localizer) Note(n *events.Note) string {
	if n.IsFault() && !v.Operator {
		return v.systemFault()
	}
	return n.Text
}

// Fault returns the last system fault of a row in one line, or "" if the caller may not read it.
func (v Localizer) Fault(e *events.Event) string {
	n := e.LastFault()
	if n == nil || !v.Operator {
		return ""
	}
	text, _, _ := strings.Cut(n.Text, "\n")
	if n.Ended == nil || n.Ended.Type == "" {
		return text
	}
	return n.Ended.Type + ": " + text
}
