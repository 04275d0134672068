package view

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Attempt is the record of one run of a row.
type Attempt struct {
	Attempt   int            `json:"attempt" doc:"Number of the attempt, from 1. An interrupted or lost attempt may have the number of the next one. 0: the row ended without a run."`
	Outcome   events.Outcome `json:"outcome" doc:"'lost': the process of the attempt ended without an outcome." schema:"enum=running|finish|failed|retry|error|interrupted|lost"`
	QueuedAt  *string        `json:"queued_at" schema:"time"`
	StartedAt *string        `json:"started_at" schema:"time"`
	EndedAt   *string        `json:"ended_at" schema:"time"`
	Code      *string        `json:"code"`
	Column    *string        `json:"column"`
	Value     *string        `json:"value"`
	Message   *string        `json:"message" doc:"Fault of the row; for a system fault, a text without details."`
	Worker    *string        `json:"worker" doc:"Process that ran the attempt. Only for 'ops:read'."`
	Build     *string        `json:"build" doc:"Version of the program that ran the attempt. Only for 'ops:read'."`
	Type      *string        `json:"error_type" doc:"Type of a system fault. Only for 'ops:read'."`
	Error     *string        `json:"error" doc:"Text of a system fault. Only for 'ops:read'."`
	Stack     *string        `json:"stack" doc:"Stack of a panic. Only for 'ops:read'."`
}

// attempts returns the attempts of a row, as the caller may see them.
func (v Localizer) attempts(e *events.Event) []Attempt {
	out := []Attempt{}
	for _, a := range e.Attempts(v.Runner(e.RanBy)) {
		out = append(out, v.Attempt(&a))
	}
	return out
}

// Attempt returns the view of an attempt. The view has the process and the text of a system fault for
// operators only.
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

// systemFault returns the text that callers other than operators see in place of a system fault.
func (v Localizer) systemFault() string {
	text, _ := words.Say(v.Lang, "fault", nil)
	return text
}

// messages returns the messages of a row, as the caller may see them. It leaves out empty texts.
func (v Localizer) messages(e *events.Event) []Message {
	out := []Message{}
	for _, n := range e.Notes() {
		if text := v.Note(&n); text != "" {
			out = append(out, Message{textutil.Instant(n.At), n.Attempt, n.Status, text, n.Duration})
		}
	}
	return out
}

// Note returns the text of a message. Callers other than operators see a general text in place of a
// system fault.
func (v Localizer) Note(n *events.Note) string {
	if n.IsFault() && !v.Operator {
		return v.systemFault()
	}
	return n.Text
}

// Fault returns the last system fault of a row as one line, without the type of a plain error. It returns "" if
// there is none, or if the caller is not an operator.
func (v Localizer) Fault(e *events.Event) string {
	n := e.LastFault()
	if n == nil || !v.Operator {
		return ""
	}
	text, _, _ := strings.Cut(n.Text, "\n")
	if n.Ended == nil || n.Ended.Type == "" {
		return text
	}
	return events.WithoutPlainType(n.Ended.Type + ": " + text)
}
