package audit

import (
	"encoding/json"
	"fmt"
)

// Detail holds facts about an act that do not fit into the other fields of Entry.
type Detail struct {
	Before  map[string]*string `json:"before,omitempty"` // the edited cells before the edit
	After   map[string]*string `json:"after,omitempty"`
	Code    string             `json:"code,omitempty"` // code of the fault that remains after the edit
	Note    string             `json:"note,omitempty"`
	First   int                `json:"first_row,omitempty"` // first row of an act on several rows
	Last    int                `json:"last_row,omitempty"`
	Request json.RawMessage    `json:"act,omitempty"`    // the request of the caller; valid JSON
	ActID   string             `json:"act_id,omitempty"` // id of the act, for its undo
	Rerun   string             `json:"rerun,omitempty"`  // id that all entries of one resubmission share
}

// json returns the detail as JSON; "" for the zero value.
func (d Detail) json() string {
	b, err := json.Marshal(d)
	if err != nil || string(b) == "{}" { // texts always encode
		return ""
	}
	return string(b)
}

// Scan decodes the JSON of the column detail. An empty text leaves the Detail unchanged.
func (d *Detail) Scan(v any) error {
	var text []byte
	switch v := v.(type) {
	case string:
		text = []byte(v)
	case []byte:
		text = v
	default:
		return fmt.Errorf("audit: detail is a %T", v)
	}
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, d)
}
