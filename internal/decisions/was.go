package decisions

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
)

// PriorState is the state of a row before an act, which an undo restores.
type PriorState struct {
	Resolution events.Resolution `json:"resolution,omitempty"` // as stored; empty: open
	By         *string           `json:"by,omitempty"`
	At         *int64            `json:"at,omitempty"`
	Note       *string           `json:"note,omitempty"`

	Key     string  `json:"key,omitempty"`
	Code    *string `json:"code,omitempty"`
	Col     *string `json:"col,omitempty"`
	Value   *string `json:"value,omitempty"`
	Message *string `json:"message,omitempty"`
	Hint    *string `json:"hint,omitempty"`
	Fields  *string `json:"fields,omitempty"`
	Print   *string `json:"print,omitempty"`

	Before map[string]*string `json:"before,omitempty"` // the cells that the act changed
	After  map[string]*string `json:"after,omitempty"`
}

// wasOf returns the state of a row before its decision.
func wasOf(d *decided) PriorState {
	e := &d.old
	w := PriorState{
		Resolution: e.StoredResolution(), By: e.ResolvedBy, At: e.ResolvedAt, Note: e.ResolutionNote, Key: e.Key,
		Code: e.Code, Col: e.Col, Value: e.Value, Message: e.Message, Hint: e.Hint, Fields: e.Fields, Print: e.Print,
	}
	if d.Edit != nil {
		w.Before, w.After = d.Edit.Before, d.Edit.After
	}
	return w
}

// json returns the stored form of the state.
func (w *PriorState) json() string {
	b, _ := json.Marshal(w) // texts always encode
	return string(b)
}

// into copies the resolution, the key and the failure of the state into a row.
func (w *PriorState) into(e *events.Event) {
	res := w.Resolution
	e.Resolution, e.ResolvedBy, e.ResolvedAt, e.ResolutionNote = &res, w.By, w.At, w.Note
	e.Key, e.Code, e.Col, e.Value = w.Key, w.Code, w.Col, w.Value
	e.Message, e.Hint, e.Fields, e.Print = w.Message, w.Hint, w.Fields, w.Print
}

// State returns the resolution of the row before the act; Open if it had none, or if the row had been
// resubmitted.
func (w *PriorState) State() events.Resolution {
	if w.Resolution == "" || w.Resolution == events.Resubmitted {
		return events.Open
	}
	return w.Resolution
}

// HoldsKey reports whether the row held its key before the act, under the rule OneRow.
func (w *PriorState) HoldsKey() bool {
	e := events.Event{Status: events.Failed}
	w.into(&e)
	return OneRow.counts(&e)
}

// Failure returns the failure of the row before the act. It returns nil if the row was fixed or had no
// known fault.
func (w *PriorState) Failure() *events.Failure {
	e := events.Event{Status: events.Failed}
	w.into(&e)
	list := e.Faults()
	if w.State() == events.Fixed || e.Faultless() || len(list) == 0 {
		return nil
	}
	return failureOf(list)
}
