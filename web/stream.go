package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
)

// The pace of a stream: how often it looks, how long it may be silent, when a
// client that was cut off should come back, and how long one write may take.
const (
	streamStep    = 300 * time.Millisecond
	heartbeat     = 15 * time.Second
	comeBack      = 2 * time.Second
	streamPatient = 30 * time.Second
)

// streamTask serves GET /tasks/{id}/stream: the poll's JSON as server-sent
// events, "progress" with every change and "done" at the end. The id of an
// event is the version of the task; Last-Event-ID leaves out what is known.
func (s *Server) streamTask(c *gin.Context) error {
	l, err := s.board.get(c.Request.Context(), s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	seen, _ := strconv.ParseInt(c.GetHeader("Last-Event-ID"), 10, 64) // 0: everything is news
	c.Header("Content-Type", "text/event-stream")
	c.Header("Cache-Control", "no-store")
	c.Header("X-Accel-Buffering", "no") // for proxies
	out := &stream{c: c, lang: c.GetString(langKey), seen: seen, last: time.Now()}
	if err := out.write(fmt.Sprintf("retry: %d\n\n", comeBack.Milliseconds())); err != nil {
		return nil // the client is gone
	}
	for !out.show(l) {
		select {
		case <-c.Request.Context().Done():
			return nil
		case <-s.stopping:
			return nil // the client has been told when to come back
		case <-time.After(streamStep):
		}
		if s.dismissed(c) != nil {
			return nil // the next request is told why
		}
		next, err := s.board.get(c.Request.Context(), s.tenant(c), l.task.ID)
		if err == nil {
			l = next // a ledger that is away is waited for
		}
	}
	return nil
}

// stream is one client that listens.
type stream struct {
	c    *gin.Context
	lang string
	seen int64     // version
	last time.Time // of a write
}

// show tells what is new of a task; true when there is nothing more to tell,
// or nobody to tell it to.
func (o *stream) show(l *look) (end bool) {
	done := l.task.Status.Done()
	switch {
	case l.task.Version > o.seen || done:
		return o.event(l) != nil || done
	case time.Since(o.last) > heartbeat:
		return o.write(": still here\n\n") != nil
	}
	return false
}

// event tells a task as it stands.
func (o *stream) event(l *look) error {
	name := "progress"
	if l.task.Status.Done() {
		name = "done"
	}
	body, err := l.body(o.lang)
	if err != nil {
		return err
	}
	o.seen = l.task.Version
	return o.write(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", name, o.seen, body))
}

func (o *stream) write(text string) error {
	rc := http.NewResponseController(o.c.Writer)
	if err := rc.SetWriteDeadline(time.Now().Add(streamPatient)); err != nil {
		return err
	}
	if _, err := o.c.Writer.WriteString(text); err != nil {
		return err
	}
	o.last = time.Now()
	return rc.Flush()
}
