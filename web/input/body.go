package input

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// BodyReader is a reader of the body of a request within limits of size and time.
type BodyReader struct {
	io.Reader
	conn     *http.ResponseController
	patience time.Duration
	begun    time.Time
	got      int64
	Late     bool // the body came too slowly
}

// Open limits the body of a request to `most` bytes. The argument `patience` is the longest time for
// which the client may send nothing. The whole body may take this time, plus one second for each
// conns.SlowestRate bytes. Call End after the last read.
func Open(w http.ResponseWriter, r *http.Request, most int64, patience time.Duration) *BodyReader {
	b := &BodyReader{conn: http.NewResponseController(w), patience: patience, begun: time.Now()}
	b.Reader = http.MaxBytesReader(w, r.Body, most)
	return b
}

// Read reads from the body until the current deadline.
func (b *BodyReader) Read(p []byte) (int, error) {
	b.setDeadline(b.deadline(time.Now()))
	n, err := b.Reader.Read(p)
	b.got += int64(n)
	b.Late = b.Late || errors.Is(err, os.ErrDeadlineExceeded)
	return n, err
}

// deadline returns the deadline of the next read. A body misses the deadline if it stalls, or if its rate
// is below conns.SlowestRate.
func (b *BodyReader) deadline(now time.Time) time.Time {
	stalled := now.Add(b.patience)
	drops := b.begun.Add(b.patience + time.Duration(b.got/conns.SlowestRate)*time.Second)
	if drops.Before(stalled) {
		return drops
	}
	return stalled
}

// End removes the deadline if `whole` is true, which means that the caller has read the whole body.
// Otherwise, the deadline also bounds how long net/http reads the rest of the body.
func (b *BodyReader) End(whole bool) {
	if whole {
		b.setDeadline(time.Time{})
	}
}

// setDeadline sets the read deadline of the connection. It ignores errors, because a ResponseWriter may
// lack deadlines.
func (b *BodyReader) setDeadline(t time.Time) { _ = b.conn.SetReadDeadline(t) }
