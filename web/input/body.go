package input

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// BodyReader is the body of a request with a bound on its bytes and on its time.
type BodyReader struct {
	io.Reader
	conn     *http.ResponseController
	patience time.Duration
	begun    time.Time
	got      int64
	Late     bool // the body came too slowly
}

// Open bounds the body of a request to most bytes. A read may stall for patience. The whole body may
// take patience and one second more for each SlowestRate bytes. Call End after reading.
func Open(w http.ResponseWriter, r *http.Request, most int64, patience time.Duration) *BodyReader {
	b := &BodyReader{conn: http.NewResponseController(w), patience: patience, begun: time.Now()}
	b.Reader = http.MaxBytesReader(w, r.Body, most)
	return b
}

// Read reads what arrives before the deadline.
func (b *BodyReader) Read(p []byte) (int, error) {
	b.until(b.deadline(time.Now()))
	n, err := b.Reader.Read(p)
	b.got += int64(n)
	b.Late = b.Late || errors.Is(err, os.ErrDeadlineExceeded)
	return n, err
}

// deadline returns the deadline of a read: a client may neither stall nor trickle.
func (b *BodyReader) deadline(now time.Time) time.Time {
	stalled := now.Add(b.patience)
	drops := b.begun.Add(b.patience + time.Duration(b.got/conns.SlowestRate)*time.Second)
	if drops.Before(stalled) {
		return drops
	}
	return stalled
}

// End removes the deadline if the whole body was read. Otherwise the deadline also applies to the rest
// of the body, which net/http reads.
func (b *BodyReader) End(whole bool) {
	if whole {
		b.until(time.Time{})
	}
}

// until sets the read deadline of the connection. It ignores the error of a connection without
// deadlines; the server of that connection bounds its time.
func (b *BodyReader) until(t time.Time) { _ = b.conn.SetReadDeadline(t) }
