package blobs

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// far returns a file of a service, and the number of requests to the service. The service sends at most
// `most` bytes of a request, and then breaks the connection; 0 is no limit.
func far(text []byte, most int) (o *object, asked *int) {
	asked = new(int)
	return &object{size: int64(len(text)), part: func(from, to int64) (io.ReadCloser, error) {
		*asked++
		piece := text[from : to+1]
		if most > 0 && len(piece) > most {
			broken := io.MultiReader(bytes.NewReader(piece[:most]), iotest.ErrReader(io.ErrUnexpectedEOF))
			return io.NopCloser(broken), nil
		}
		return io.NopCloser(bytes.NewReader(piece)), nil
	}}, asked
}

// TestAnObjectIsAReader reads a file from different offsets, and counts the requests to the service.
func TestAnObjectIsAReader(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("0123456789abcdef", (3<<20+160)/16))
	o, asked := far(text, 0)
	if b, err := io.ReadAll(o); err != nil || !bytes.Equal(b, text) || *asked != 1 {
		t.Errorf("read %d bytes in %d requests, %v", len(b), *asked, err)
	}
	o, asked = far(text, 0)
	if b, err := io.ReadAll(io.NewSectionReader(o, 0, o.size)); err != nil || !bytes.Equal(b, text) || *asked != 4 {
		t.Errorf("read %d bytes in %d blocks, %v", len(b), *asked, err)
	}
	b := make([]byte, 32)
	if n, err := o.ReadAt(b, o.size-16); n != 16 || err != io.EOF || *asked != 4 {
		t.Errorf("ReadAt over the end = %d, %v, with %d blocks asked for", n, err, *asked)
	}
	o, _ = far(text[:1000], 0)
	if err := iotest.TestReader(o, text[:1000]); err != nil {
		t.Error(err)
	}
}

// TestAConnectionThatBreaksOff: after a broken connection that has returned bytes, a new connection
// is opened.
func TestAConnectionThatBreaksOff(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("x", 1000))
	o, asked := far(text, 300)
	if b, err := io.ReadAll(o); err != nil || len(b) != 1000 || *asked != 4 {
		t.Errorf("read %d bytes in %d requests, %v", len(b), *asked, err)
	}
	if _, err := o.ReadAt(make([]byte, 10), 0); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("ReadAt of a block that breaks off = %v", err)
	}
	o.at, o.part = 0, func(int64, int64) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }
	if _, err := io.ReadAll(o); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("read of nothing = %v", err)
	}
}
