package web

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// body is what a request brings: at most so many bytes, and not for ever.
type body struct {
	io.Reader
	conn     *http.ResponseController
	patience time.Duration
	begun    time.Time
	got      int64
	late     bool // it came too slowly
}

// openBody bounds the body of a request to most bytes. Call end after reading.
func openBody(c *gin.Context, most int64, patience time.Duration) *body {
	b := &body{
		conn: http.NewResponseController(c.Writer), patience: patience, begun: time.Now(),
	}
	b.Reader = http.MaxBytesReader(c.Writer, c.Request.Body, most)
	return b
}

// Read reads what comes before the patience ends.
func (b *body) Read(p []byte) (int, error) {
	b.until(b.deadline(time.Now()))
	n, err := b.Reader.Read(p)
	b.got += int64(n)
	b.late = b.late || errors.Is(err, os.ErrDeadlineExceeded)
	return n, err
}

// deadline of a read: nobody may stall, nor come in drops.
func (b *body) deadline(now time.Time) time.Time {
	stalled := now.Add(b.patience)
	drops := b.begun.Add(b.patience + time.Duration(b.got/conns.SlowestRate)*time.Second)
	if drops.Before(stalled) {
		return drops
	}
	return stalled
}

// end lifts the deadline of a body that was read whole. Otherwise it stays for
// what net/http reads of the rest.
func (b *body) end(whole bool) {
	if whole {
		b.until(time.Time{})
	}
}

// until sets the deadline; a connection that has none is its server's matter.
func (b *body) until(t time.Time) { _ = b.conn.SetReadDeadline(t) }
