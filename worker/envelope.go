package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
)

// envelope is the stored form of Envelope, without its event.
type envelope struct {
	Task    string          `json:"t"`
	Tenant  string          `json:"n"`
	Mark    string          `json:"m"`
	Row     int             `json:"r"`
	Attempt int             `json:"a"`
	Params  json.RawMessage `json:"p"`
}

// idWidth is how many hex digits an event's id has in a payload.
const idWidth = 16

// Envelope is a tracked job as it travels through the queue.
type Envelope struct {
	Event   events.ID
	TaskID  string
	Tenant  string
	Mark    string // of the Redis it was pushed to, as the ledger knew it then
	Row     int
	Attempt int // attempts begun before it was pushed
	Params  json.RawMessage
}

// Pack makes the payload of a job. It starts with the event's id at a fixed
// width, so that payloads of equal score keep the order of their rows, and is
// the same whenever the same attempt is packed, so that the queue sees a job
// pushed twice as one.
func (e Envelope) Pack() ([]byte, error) {
	b := bytes.NewBuffer(fmt.Appendf(nil, "%016x", int64(e.Event)))
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false) // it would make params of markup six times as long
	err := enc.Encode(envelope{e.TaskID, e.Tenant, e.Mark, e.Row, e.Attempt, e.Params})
	if err != nil {
		return nil, fmt.Errorf("worker: pack %d: %w", e.Event, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Unpack reads what Pack made.
func Unpack(payload []byte) (Envelope, error) {
	var in envelope
	if len(payload) < idWidth {
		return Envelope{}, fmt.Errorf("worker: unpack: payload of %d bytes", len(payload))
	}
	id, err := strconv.ParseInt(string(payload[:idWidth]), 16, 64)
	if err != nil {
		return Envelope{}, fmt.Errorf("worker: unpack: %w", err)
	}
	if err := json.Unmarshal(payload[idWidth:], &in); err != nil {
		return Envelope{}, fmt.Errorf("worker: unpack: %w", err)
	}
	return Envelope{events.ID(id), in.Task, in.Tenant, in.Mark, in.Row, in.Attempt, in.Params}, nil
}
