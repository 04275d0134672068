package jobs_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// FuzzEnvelope packs any envelope, and Unpack returns the same one.
func FuzzEnvelope(f *testing.F) {
	f.Add(int64(events.NewID(7, 42)), "01234567-89ab", "acme", "mark", 43, 2, []byte(`{"SKU":"a"}`))
	f.Add(int64(1), "", "", "", 0, 0, []byte(nil))
	f.Add(int64(1), "0192b7e4-89ab-7cde-8123-456789abcdef", "0192B7E4-89AB-7CDE-8123-456789ABCDEF",
		"0192b7e4-89ab-7cde-8123-456789abcdef.late", 1, 0, []byte("{}"))
	f.Add(int64(1), "urn:uuid:0192b7e4-89ab-7cde-8123-456", "0192b7e489ab7cde8123456789abcdef", "ж", 1, 0, []byte("{}"))
	f.Fuzz(func(t *testing.T, id int64, task, tenant, mark string, row, attempt int, params []byte) {
		in := jobs.Envelope{
			Event: events.ID(id & (1<<63 - 1)), TaskID: task, Tenant: tenant, Mark: mark,
			Row: row & (1<<31 - 1), Attempt: attempt & (1<<31 - 1), Params: bytes.Clone(params),
		}
		out, err := jobs.Unpack(in.Pack())
		if err != nil {
			t.Fatal(err)
		}
		if len(in.Params)+len(out.Params) == 0 {
			in.Params, out.Params = nil, nil
		}
		if diff := cmp.Diff(in, out); diff != "" {
			t.Error(diff)
		}
	})
}

// packBefore returns the payload in its previous format: each text after its length.
func packBefore(e jobs.Envelope) []byte {
	b := fmt.Appendf(nil, "%016x", int64(e.Event))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.Row)), uint64(e.Attempt))
	for _, text := range []string{e.TaskID, e.Tenant, e.Mark} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return append(b, e.Params...)
}

func TestUnpack_FormBefore_IsRead(t *testing.T) {
	t.Parallel()
	id := "0192b7e4-89ab-7cde-8123-456789abcdef"
	for _, row := range []int{0, 1, 127, 128, 16384, 1<<31 - 1} {
		in := jobs.Envelope{
			Event: events.NewID(7, 42), TaskID: id, Tenant: "acme", Mark: id + ".late",
			Row: row, Attempt: row, Params: []byte(`{"SKU":"a"}`),
		}
		out, err := jobs.Unpack(packBefore(in))
		if diff := cmp.Diff(in, out); diff != "" || err != nil {
			t.Errorf("row %d: %v\n%s", row, err, diff)
		}
	}
}

// FuzzUnpack reads any bytes. It never panics, and its result is at most as long as the input, plus
// 20 bytes for each UUID.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("0000000000000001\x02\x01\x08task\x00\x00{}"))
	f.Add([]byte("0000000000000001\x80\x00\x02\x01\x010123456789abcdef\x00\x00{}"))
	f.Add([]byte("0000000000000001\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		e, err := jobs.Unpack(payload)
		if n := len(e.TaskID) + len(e.Tenant) + len(e.Mark) + len(e.Params); err == nil && n > len(payload)+3*20 {
			t.Errorf("%d bytes out of %d", n, len(payload))
		}
	})
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	in := jobs.Envelope{
		Event: events.NewID(7, 42), TaskID: "t", Tenant: "acme", Row: 43, Attempt: 2,
		Params: []byte(`{"SKU":"a"}`),
	}
	out, err := jobs.Unpack(in.Pack())
	if diff := cmp.Diff(in, out); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, broken := range []string{"", "zz", "zzzzzzzzzzzzzzzz{}", "0000000000000001{", "0000000000000001\x02\x01\x05task"} {
		if _, err := jobs.Unpack([]byte(broken)); err == nil {
			t.Errorf("Unpack(%q) did not complain", broken)
		}
	}
}
