package web

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
)

// The pace of a stream: how often it looks, how long it may be silent, when a
// client that was cut off should come back (after a stop up to comeApart later,
// so that not all come at once), and how long one write may take.
const (
	streamStep    = 300 * time.Millisecond
	heartbeat     = 15 * time.Second
	comeBack      = 2 * time.Second
	comeApart     = 3 * time.Second
	streamPatient = 30 * time.Second
)

// streamTask serves GET /tasks/{id}/stream: the poll's JSON as server-sent
// events, "progress" with every change and "done" at the end. The id of an
// event is the version of the task; Last-Event-ID leaves out what is known. Who
// knows the end already gets 204, which tells an EventSource to stop asking.
func (s *Server) streamTask(c *gin.Context) error {
	l, seen, err := s.resume(c)
	if err != nil {
		return err
	}
	if l.task.Status.Done() && l.task.Version == seen {
		c.Status(http.StatusNoContent)
		return nil
	}
	c.Header("Content-Type", "text/event-stream")
	c.Header("Cache-Control", "no-store, no-transform")
	c.Header("X-Accel-Buffering", "no") // for proxies
	out := &stream{
		w: c.Writer, conn: http.NewResponseController(c.Writer), lang: c.GetString(langKey), seen: seen,
	}
	if out.retry(comeBack) == nil { // else the client is gone
		s.follow(c, out, l)
	}
	_ = out.conn.SetWriteDeadline(time.Time{}) // of the next request on a connection that is still there
	return nil
}

// resume reads the task, and the version of it that the client has by its
// Last-Event-ID; 0 if it has none that there ever was.
func (s *Server) resume(c *gin.Context) (l *look, seen int64, err error) {
	ctx, tenant, id := c.Request.Context(), s.tenant(c), c.Param("id")
	if l, err = s.board.get(ctx, tenant, id); err != nil {
		return nil, 0, err
	}
	seen, err = strconv.ParseInt(c.GetHeader("Last-Event-ID"), 10, 64)
	if err != nil || seen < 0 {
		return l, 0, nil // no version
	}
	if seen <= l.task.Version {
		return l, seen, nil
	}
	s.board.forget(tenant, id) // another process may have told what is newer
	if l, err = s.board.get(ctx, tenant, id); err != nil {
		return nil, 0, err
	}
	if seen > l.task.Version {
		seen = 0 // of another task
	}
	return l, seen, nil
}

// follow tells what becomes of a task, at once what anybody in this process has
// read of it, until it is done, the client is gone or
// not welcome any more, or the service stops.
func (s *Server) follow(c *gin.Context, out *stream, l *look) {
	ctx := c.Request.Context()
	step := time.NewTicker(streamStep)
	defer step.Stop()
	over := l.over
	for !out.show(l) {
		select {
		case <-ctx.Done():
			return
		case <-s.stopping:
			_ = out.retry(comeBack + rand.N(comeApart)) // nobody is left to tell of an error
			return
		case <-over:
			over = nil // until the next version is read
		case <-step.C:
		}
		if s.dismissed(c) != nil {
			return // the next request is told why
		}
		if next, err := s.board.get(ctx, s.tenant(c), l.task.ID); err == nil {
			l, over = next, next.over // a ledger that is away is waited for
		} else if errors.Is(err, tasks.ErrNotFound) || errors.Is(err, tasks.ErrExpired) {
			return
		}
	}
}

// stream is one client that listens.
type stream struct {
	w    http.ResponseWriter
	conn *http.ResponseController
	lang string
	seen int64     // version
	last time.Time // of a write
}

// retry tells when to come back after the connection has ended.
func (o *stream) retry(after time.Duration) error {
	return o.write(fmt.Appendf(nil, "retry: %d\n\n", after.Milliseconds()))
}

// show tells what is new of a task; true when there is nothing more to tell,
// or nobody to tell it to.
func (o *stream) show(l *look) (end bool) {
	done := l.task.Status.Done()
	switch {
	case l.task.Version > o.seen || done:
		return o.event(l) != nil || done
	case time.Since(o.last) >= heartbeat:
		return o.write([]byte(": still here\n\n")) != nil
	}
	return false
}

// event tells a task as it stands.
func (o *stream) event(l *look) error {
	text, err := l.in(o.lang)
	if err != nil {
		return err
	}
	o.seen = l.task.Version
	return o.write(text.frame)
}

func (o *stream) write(text []byte) error {
	if err := o.conn.SetWriteDeadline(time.Now().Add(streamPatient)); err != nil {
		return err
	}
	if _, err := o.w.Write(text); err != nil {
		return err
	}
	o.last = time.Now()
	return o.conn.Flush()
}
