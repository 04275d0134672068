package events

import (
	"encoding/json"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Outcome is the result of an attempt, or Running.
type Outcome string

// These are the outcomes of an attempt.
const (
	Running       Outcome = "running"     // it has not ended
	Finished      Outcome = "finish"      // the handler has finished
	BusinessFault Outcome = "failed"      // business failure
	RetriedFault  Outcome = "retry"       // system fault; the row is retried
	LastFault     Outcome = "error"       // system fault; the row is not retried
	Interruption  Outcome = "interrupted" // the process stopped or the task was canceled; the attempt does not count
	Loss          Outcome = "lost"        // the process ended without reporting an outcome
)

// Attempt is the record of one run of the handler for a row, or of the end of a row that did not run.
type Attempt struct {
	N         int // from 1; 0 if the row came to rest before its first run
	Outcome   Outcome
	QueuedAt  int64 // unix ms, 0 if unknown
	StartedAt int64 // unix ms, 0: it did not run
	EndedAt   int64 // unix ms, 0: it runs
	Runner
	Faults []Field // of a failure; the row shows the first
	Type   string  // Go type of a system fault, or TypePanic
	Text   string  // of a system fault
	Stack  string  // of a system fault
	Result string  // JSON of a row that finished; empty if none
}

// Attempts returns the recorded attempts of a row, oldest first. It reads the message log. If the log lacks
// the last attempt, Attempts reads it from the columns of the event. The argument `ranBy` is the runner of
// the last attempt: see Event.RanBy.
func (e *Event) Attempts(ranBy Runner) []Attempt {
	var out []Attempt
	for _, n := range e.Notes() {
		if n.Ended != nil && (n.Attempt > 0 || len(out) == 0 || out[len(out)-1].EndedAt != n.At) {
			out = append(out, n.attempt())
		}
	}
	if e.hasUnlogged(out) {
		out = append(out, e.lastAttempt(ranBy))
	}
	return out
}

// attempt returns the attempt whose end the note records. n.Ended must not be nil.
func (n *Note) attempt() Attempt {
	end := n.Ended
	a := Attempt{
		N: n.Attempt, Outcome: end.Outcome, QueuedAt: end.QueuedAt, StartedAt: end.StartedAt, EndedAt: n.At,
		Runner: Runner{n.Worker, n.Build}, Faults: end.Faults, Type: end.Type, Result: string(end.Result),
	}
	if n.IsFault() {
		a.Text, a.Stack = n.Text, n.Stack
	}
	return a
}

// hasUnlogged reports whether the columns of the event hold an attempt that is not in the message
// log.
func (e *Event) hasUnlogged(logged []Attempt) bool {
	switch {
	case e.StartedAt == nil:
		return false
	case e.Status == Working, e.Status == Finish:
		return true
	}
	return e.Status.Bad() && (len(logged) == 0 || logged[len(logged)-1].N < e.Attempt)
}

// lastAttempt returns the attempt that the columns of the event hold, with `r` as its runner.
func (e *Event) lastAttempt(r Runner) Attempt {
	a := Attempt{
		N: e.Attempt, Outcome: Running, QueuedAt: textutil.Deref(e.QueuedAt), StartedAt: textutil.Deref(e.StartedAt), Runner: r,
	}
	if !e.Status.AtRest() {
		return a
	}
	a.Outcome, a.EndedAt = Outcome(e.Status), textutil.Deref(e.FinishedAt)
	if e.Status == Finish {
		a.Result = textutil.Deref(e.Result)
	} else {
		a.Faults = e.Faults()
	}
	return a
}

// FinishedNote returns a note for the message log about the attempt that finished the row. The argument
// `by` is the runner of the attempt.
func (e *Event) FinishedNote(by Runner) Note {
	a := e.lastAttempt(by)
	return Note{
		At: a.EndedAt, Attempt: a.N, Status: Finish, Worker: by.Worker, Build: by.Build, Duration: a.EndedAt - a.StartedAt,
		Ended: &Ending{
			Outcome: Finished, QueuedAt: a.QueuedAt, StartedAt: a.StartedAt, Result: json.RawMessage(a.Result),
		},
	}
}

// Note is one entry in the message log of an event. A stored note never changes. The log is deleted only
// with the contents of its row.
type Note struct {
	At       int64   `json:"at"` // unix ms
	Attempt  int     `json:"attempt"`
	Status   Status  `json:"status"`
	Text     string  `json:"text"` // a user's text, or the error of a system fault; may be empty with Ended
	Worker   string  `json:"worker,omitempty"`
	Build    string  `json:"build,omitempty"`
	Duration int64   `json:"duration_ms,omitempty"`
	Stack    string  `json:"stack,omitempty"`
	Ended    *Ending `json:"ended,omitempty"` // not nil: the note records the end of an attempt

	Act     string   `json:"act,omitempty"` // act of a user, such as "repair-resubmitted"; Text describes it in English
	By      string   `json:"by,omitempty"`
	Columns []string `json:"columns,omitempty"` // that the act has edited
	Why     string   `json:"why,omitempty"`     // reason that the user gave
}

// Ending holds the outcome and the times of an attempt that has ended.
type Ending struct {
	Outcome   Outcome         `json:"outcome"`
	QueuedAt  int64           `json:"queued_at,omitempty"`  // unix ms
	StartedAt int64           `json:"started_at,omitempty"` // unix ms; 0: it did not run
	Type      string          `json:"type,omitempty"`       // Go type of a system fault, or TypePanic
	Faults    []Field         `json:"faults,omitempty"`     // of a failure; the row shows the first
	Result    json.RawMessage `json:"result,omitempty"`     // of a row that finished
}

// IsFault reports whether the note holds the text of a system fault. Only operators may read texts
// of system faults.
func (n *Note) IsFault() bool {
	return n.Ended != nil && n.Ended.Type != "" || n.Stack != "" || n.early()
}

// early reports whether the note is about a system fault and was written by an early version of Rollcall.
// Such notes have no Ended. Notes of users have no Worker.
func (n *Note) early() bool { return n.Ended == nil && n.Status == Error && n.Worker != "" }

// Notes returns the entries of the message log, oldest first. It skips lines that are not valid
// JSON.
func (e *Event) Notes() []Note {
	if e.Messages == nil {
		return nil
	}
	var out []Note
	for line := range strings.Lines(*e.Messages) {
		var n Note
		if json.Unmarshal([]byte(line), &n) == nil {
			out = append(out, n)
		}
	}
	return out
}

// LastFault returns the note of the last system fault, or nil if there is none.
func (e *Event) LastFault() *Note {
	list := e.Notes()
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].IsFault() {
			return &list[i]
		}
	}
	return nil
}
