package web

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/worker"
)

// rowAttemptView is one attempt on a row.
type rowAttemptView struct {
	Attempt   int            `json:"attempt" doc:"From 1; an interrupted or lost one may have the number of the next. 0: it came to rest without a run."`
	Outcome   events.Outcome `json:"outcome" doc:"'lost': its process ended without an outcome." schema:"enum=running|finish|failed|retry|error|interrupted|lost"`
	QueuedAt  *string        `json:"queued_at" schema:"time"`
	StartedAt *string        `json:"started_at" schema:"time"`
	EndedAt   *string        `json:"ended_at" schema:"time"`
	Code      *string        `json:"code"`
	Column    *string        `json:"column"`
	Value     *string        `json:"value"`
	Message   *string        `json:"message" doc:"What was wrong with the row; of a fault no more than that there was one."`
	Worker    *string        `json:"worker" doc:"The process that ran it, for 'ops:read'."`
	Build     *string        `json:"build" doc:"The version of its program, for 'ops:read'."`
	Type      *string        `json:"error_type" doc:"Of a system fault, for 'ops:read'."`
	Error     *string        `json:"error" doc:"Text of a system fault, for 'ops:read'."`
	Stack     *string        `json:"stack" doc:"Where a panic was, for 'ops:read'."`
}

// attempts are the attempts on a row as the caller may see them.
func (v voice) attempts(e *events.Event) []rowAttemptView {
	out := []rowAttemptView{}
	for _, a := range e.Attempts(v.runner(e.RanBy)) {
		out = append(out, v.attempt(&a))
	}
	return out
}

func (v voice) attempt(a *events.Attempt) rowAttemptView {
	out := rowAttemptView{
		Attempt: a.N, Outcome: a.Outcome,
		QueuedAt: instant(a.QueuedAt), StartedAt: instant(a.StartedAt), EndedAt: instant(a.EndedAt),
	}
	switch {
	case len(a.Faults) > 0:
		f := v.field(a.Faults[0])
		out.Code, out.Column, out.Value, out.Message = optional(f.Code), optional(f.Column), optional(f.Value), optional(f.Message)
	case a.Outcome == events.RetriedFault, a.Outcome == events.LastFault:
		out.Code, out.Message = optional(worker.CodeSystem), optional(v.ourFault())
	}
	if v.operator {
		out.Worker, out.Build = optional(a.Worker), optional(a.Build)
		out.Type, out.Error, out.Stack = optional(a.Type), optional(a.Text), optional(a.Stack)
	}
	return out
}

// ourFault stands for the text of a system fault, which only operators may read.
func (v voice) ourFault() string {
	text, _ := words.Say(v.lang, "fault", nil)
	return text
}

// messages are the message log as the caller may see it.
func (v voice) messages(e *events.Event) []messageView {
	out := []messageView{}
	for _, n := range e.Notes() {
		if text := v.noted(&n); text != "" {
			out = append(out, messageView{instant(n.At), n.Attempt, n.Status, text, n.Duration})
		}
	}
	return out
}

// noted is the text of a note as the caller may see it.
func (v voice) noted(n *events.Note) string {
	if n.IsFault() && !v.operator {
		return v.ourFault()
	}
	return n.Text
}

// why is the last system fault of a row in short, empty for a caller who may not read it.
func (v voice) why(e *events.Event) string {
	n := e.LastFault()
	if n == nil || !v.operator {
		return ""
	}
	text, _, _ := strings.Cut(n.Text, "\n")
	if n.Ended == nil || n.Ended.Type == "" {
		return text
	}
	return n.Ended.Type + ": " + text
}
