package taskcache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

const (
	streamStep   = 300 * time.Millisecond // between two reads of the cache
	heartbeat    = 15 * time.Second       // longest time without data
	retryAfter   = 2 * time.Second        // pause before a client reconnects
	retrySpread  = 3 * time.Second        // greatest random addition to the pause after a shutdown, so that the clients do not reconnect all at once
	writeTimeout = 30 * time.Second
)

// Stream is a request to follow a task with server-sent events.
type Stream struct {
	Cache            *Cache
	Tenant, ID, Lang string

	// Base is the base path of the links in the task.
	Base string

	// Check is called repeatedly while the stream is open. Its error ends the stream. The client
	// receives the reason when it sends the next request.
	Check func() error

	// Stopping is closed when the service stops.
	Stopping <-chan struct{}
}

// Serve sends server-sent events with the same JSON as a poll. It sends "progress" for each version that
// it gets from the cache, and "done" at the end.
//
// The id of a server-sent event is the version of the task's state. A client that reconnects with
// Last-Event-ID receives only later versions. If the client has the last version of a done task, it
// receives status 204, after which an EventSource does not reconnect.
func (s *Stream) Serve(w http.ResponseWriter, r *http.Request) error {
	snapshot, seen, err := s.resume(r)
	if err != nil {
		return err
	}
	if snapshot.Task.Status.Done() && snapshot.Task.Version == seen {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store, no-transform")
	w.Header().Set("X-Accel-Buffering", "no") // for proxies
	out := &client{w: w, conn: http.NewResponseController(w), lang: s.Lang, base: s.Base, seen: seen}
	if out.retry(retryAfter) == nil { // an error means that the client is gone
		s.follow(r.Context(), out, snapshot)
	}
	_ = out.conn.SetWriteDeadline(time.Time{}) // for the next request on the open connection
	return nil
}

// resume reads the task and the version in Last-Event-ID. The version is 0 if the header is missing or
// malformed, or if the task has never had this version.
func (s *Stream) resume(r *http.Request) (snapshot *Snapshot, seen int64, err error) {
	ctx := r.Context()
	if snapshot, err = s.Cache.Get(ctx, s.Tenant, s.ID); err != nil {
		return nil, 0, err
	}
	seen, err = strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	if err != nil || seen < 0 {
		return snapshot, 0, nil // no version
	}
	if seen <= snapshot.Task.Version {
		return snapshot, seen, nil
	}
	s.Cache.Invalidate(s.Tenant, s.ID) // another process may have sent a newer version
	if snapshot, err = s.Cache.Get(ctx, s.Tenant, s.ID); err != nil {
		return nil, 0, err
	}
	if seen > snapshot.Task.Version {
		seen = 0 // the version is of another task
	}
	return snapshot, seen, nil
}

// follow sends the versions of a task until it is done or gone, the client has disconnected, its credential
// is rejected, or the service stops. It sends a version as soon as any caller of the cache has read it.
func (s *Stream) follow(ctx context.Context, out *client, snapshot *Snapshot) {
	step := time.NewTicker(streamStep)
	defer step.Stop()
	changed := snapshot.changed
	for !out.show(snapshot) {
		select {
		case <-ctx.Done():
			return
		case <-s.Stopping:
			_ = out.retry(retryAfter + rand.N(retrySpread)) // the client may be gone
			return
		case <-changed:
			changed = nil // until the next version is read
		case <-step.C:
		}
		if s.Check() != nil {
			return
		}
		if next, err := s.Cache.Get(ctx, s.Tenant, s.ID); err == nil {
			snapshot, changed = next, next.changed // after an error, the next step tries again
		} else if errors.Is(err, tasks.ErrNotFound) || errors.Is(err, tasks.ErrExpired) {
			return
		}
	}
}

// client is the receiver of a stream.
type client struct {
	w    http.ResponseWriter
	conn *http.ResponseController
	lang string
	base string
	seen int64     // last sent version
	last time.Time // time of the last write
}

// retry sends the time that the client waits before it reconnects.
func (c *client) retry(after time.Duration) error {
	return c.write(fmt.Appendf(nil, "retry: %d\n\n", after.Milliseconds()))
}

// show sends a version that the client lacks, or the last version of a done task. Otherwise, if the last
// write was at least `heartbeat` ago, show sends a comment line. It returns true if the stream has ended,
// because the task is done or the client has disconnected.
func (c *client) show(s *Snapshot) (end bool) {
	done := s.Task.Status.Done()
	switch {
	case s.Task.Version > c.seen || done:
		return c.event(s) != nil || done
	case time.Since(c.last) >= heartbeat:
		return c.write([]byte(": still here\n\n")) != nil
	}
	return false
}

func (c *client) event(s *Snapshot) error {
	text, err := s.In(c.lang, c.base)
	if err != nil {
		return err
	}
	c.seen = s.Task.Version
	return c.write(text.frame)
}

func (c *client) write(text []byte) error {
	if err := c.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := c.w.Write(text); err != nil {
		return err
	}
	c.last = time.Now()
	return c.conn.Flush()
}
