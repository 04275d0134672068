package events

import (
	"encoding/json"
	"strings"
)

// Note is one entry in the message log of an event. The log is only appended to.
type Note struct {
	At       int64   `json:"at"` // unix ms
	Attempt  int     `json:"attempt"`
	Status   Status  `json:"status"`
	Text     string  `json:"text"` // of a system fault, its error; may be empty with Ended
	Worker   string  `json:"worker,omitempty"`
	Build    string  `json:"build,omitempty"`
	Duration int64   `json:"duration_ms,omitempty"`
	Stack    string  `json:"stack,omitempty"`
	Ended    *Ending `json:"ended,omitempty"` // not nil: the note ends an attempt
}

// Ending is how an attempt ended, and when it began.
type Ending struct {
	Outcome   Outcome         `json:"outcome"`
	QueuedAt  int64           `json:"queued_at,omitempty"`  // unix ms
	StartedAt int64           `json:"started_at,omitempty"` // unix ms; 0: it did not run
	Type      string          `json:"type,omitempty"`       // of a system fault: see Fault.Type
	Faults    []Field         `json:"faults,omitempty"`     // of a failure, the first speaks for the row
	Result    json.RawMessage `json:"result,omitempty"`     // of a row that finished
}

// IsFault reports whether the text of a note is that of a system fault, which only
// operators may read.
func (n *Note) IsFault() bool {
	return n.Ended != nil && n.Ended.Type != "" || n.Stack != "" || n.early()
}

// early reports whether a process wrote the note about a fault before notes had endings:
// see migration 00024. A note of a person has no worker.
func (n *Note) early() bool { return n.Ended == nil && n.Status == Error && n.Worker != "" }

// Notes decodes the message log, oldest first.
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

// LastFault returns the note of the last system fault; nil if there is none.
func (e *Event) LastFault() *Note {
	list := e.Notes()
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].IsFault() {
			return &list[i]
		}
	}
	return nil
}
