package jobs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/events"
)

// idWidth is the number of hex digits of an event's id in a payload.
const idWidth = 16

// form is the text after the id of the event in payloads of the current format. In payloads of the
// previous format, the row number follows the id, as a varint. A varint in its shortest encoding never
// begins with the two bytes of `form`.
const form = "\x80\x00"

// errCut means that a payload is truncated, or has an invalid number.
var errCut = errors.New("no envelope")

// Envelope is the content of the payload of a tracked job in the queue.
type Envelope struct {
	Event   events.ID
	TaskID  string
	Tenant  string
	Mark    string // generation mark of Redis at the time of the push
	Row     int    // not negative
	Attempt int    // attempts started before the push; not negative
	Params  json.RawMessage
}

// Pack returns the payload of a job. It starts with the event's id at a fixed width, so that payloads
// with equal scores keep the order of their rows. Equal envelopes have equal payloads, so the queue
// merges repeated pushes of an attempt under one mark.
//
// After the id come the constant `form`, and row and attempt as varints. Then come task, tenant and
// mark as written by appendText, and the params.
func (e Envelope) Pack() []byte {
	const varints = 5 * binary.MaxVarintLen64 // an id in bytes is shorter than its text
	size := idWidth + len(form) + varints + len(e.TaskID) + len(e.Tenant) + len(e.Mark) + len(e.Params)
	b := fmt.Appendf(make([]byte, 0, size), "%016x", int64(e.Event))
	b = binary.AppendUvarint(append(b, form...), uint64(e.Row))
	b = binary.AppendUvarint(b, uint64(e.Attempt))
	for _, text := range [...]string{e.TaskID, e.Tenant, e.Mark} {
		b = appendText(b, text)
	}
	return append(b, e.Params...)
}

// idText is the length of a UUID as text.
const idText = 36

// appendText appends a text as the varint 2n and its n bytes. A text that begins with a UUID is
// shortened. If n bytes follow the UUID, the varint is 2n+1. Then come the 16 bytes of the UUID and
// the n bytes. Short payloads save time, because Redis reads each byte of a payload several times.
func appendText(b []byte, text string) []byte {
	if id, ok := idOf(text); ok {
		b = binary.AppendUvarint(b, uint64(len(text)-idText)<<1|1)
		return append(append(b, id[:]...), text[idText:]...)
	}
	return append(binary.AppendUvarint(b, uint64(len(text))<<1), text...)
}

// idOf returns the UUID that a text begins with, if package uuid formats it identically.
func idOf(text string) (id uuid.UUID, ok bool) {
	if len(text) < idText {
		return id, false
	}
	id, err := uuid.Parse(text[:idText])
	return id, err == nil && id.String() == text[:idText]
}

// Unpack parses a payload that Pack made, in the current or the previous format. The params of the
// envelope are a part of `payload`, not a copy.
func Unpack(payload []byte) (Envelope, error) {
	if len(payload) < idWidth {
		return Envelope{}, fmt.Errorf("worker: unpack: payload of %d bytes", len(payload))
	}
	id, err := strconv.ParseInt(string(payload[:idWidth]), 16, 64)
	if err != nil {
		return Envelope{}, fmt.Errorf("worker: unpack: %w", err)
	}
	rest, now := bytes.CutPrefix(payload[idWidth:], []byte(form))
	r := reader{rest: rest, plain: !now}
	e := Envelope{Event: events.ID(id), Row: r.number(), Attempt: r.number()}
	e.TaskID, e.Tenant, e.Mark = r.text(), r.text(), r.text()
	if r.cut {
		return Envelope{}, fmt.Errorf("worker: unpack %d: %w", id, errCut)
	}
	e.Params = r.rest
	return e, nil
}

type reader struct {
	rest  []byte
	plain bool // the length of a text is a plain varint, as in the previous format
	cut   bool
}

// number reads a varint that fits into an int32. For any other bytes it sets r.cut and returns 0.
func (r *reader) number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > 1<<31-1 {
		r.cut, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// text reads a text in the form of appendText or, if r.plain is true, of the previous format.
func (r *reader) text() string {
	n := r.number()
	if r.plain {
		return string(r.bytes(n))
	}
	if n&1 == 0 {
		return string(r.bytes(n >> 1))
	}
	id, rest := r.bytes(len(uuid.UUID{})), r.bytes(n>>1)
	if r.cut {
		return ""
	}
	return uuid.UUID(id).String() + string(rest)
}

// bytes reads `n` bytes. If fewer are left, it sets r.cut and returns nil.
func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.cut, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
