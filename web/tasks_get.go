package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/taskcache"
	"github.com/rollcall-dev/rollcall/web/view"
)

// getTask serves GET /tasks/{id}: the poll.
func (s *Server) getTask(c *gin.Context) error {
	wait, err := number(c, "wait", 0, 30)
	if err != nil {
		return err
	}
	l, err := s.waitFor(c, c.Param("id"), time.Duration(wait)*time.Second)
	if err != nil {
		return err
	}
	s.pollHeaders(c, l.Task)
	if input.IfNoneMatch(c.Request.Header, etag(c, l.Task)) {
		c.Status(http.StatusNotModified)
		return nil
	}
	text, err := l.In(c.GetString(langKey))
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", text.Body)
	return nil
}

// pollHeaders sets the version of a task and the time of the next poll.
func (s *Server) pollHeaders(c *gin.Context, t *tasks.Task) {
	if now := s.opt.Now(); !t.Status.Done() {
		c.Header("Retry-After", view.PollAfter(t, view.OfProgress(t, now), now))
	}
	c.Header("ETag", etag(c, t))
	c.Header("Cache-Control", "no-cache")
}

// etag returns the tag of a task's version in the language of the request.
func etag(c *gin.Context, t *tasks.Task) string {
	tag := strconv.FormatInt(t.Version, 10)
	if lang := c.GetString(langKey); lang != words.Default {
		tag += "-" + lang
	}
	return strconv.Quote(tag)
}

// waitStep is the time between two reads of a waiting poll.
const waitStep = 200 * time.Millisecond

// waitFor returns a task once it is done or, if the caller knows a version, once it is another;
// after wait, it returns the task as it is. The cache bounds how often the database is read.
func (s *Server) waitFor(c *gin.Context, id string, wait time.Duration) (*taskcache.Snapshot, error) {
	end := time.Now().Add(wait)
	asked := c.GetHeader("If-None-Match") != ""
	for {
		if err := s.recheckAuth(c); err != nil {
			return nil, err
		}
		l, err := s.cache.Get(c.Request.Context(), s.tenant(c), id)
		if err != nil {
			return nil, err
		}
		fresh := asked && !input.IfNoneMatch(c.Request.Header, etag(c, l.Task))
		if l.Task.Status.Done() || fresh || !time.Now().Add(waitStep).Before(end) {
			return l, nil
		}
		select {
		case <-c.Request.Context().Done():
			return nil, context.Cause(c.Request.Context())
		case <-s.stopping:
			return l, nil // the client may ask another process
		case <-l.Changed():
		case <-time.After(waitStep):
		}
	}
}

// streamTask serves GET /tasks/{id}/stream: the poll's JSON as server-sent events.
func (s *Server) streamTask(c *gin.Context) error {
	stream := taskcache.Stream{
		Cache: s.cache, Tenant: s.tenant(c), ID: c.Param("id"), Lang: c.GetString(langKey), Stopping: s.stopping,
		Check: func() error { return s.recheckAuth(c) },
	}
	return stream.Serve(c.Writer, c.Request)
}

// taskStatuses are the statuses that the list can be filtered by.
var taskStatuses = []tasks.Status{
	tasks.Open, tasks.Splitting, tasks.Running, tasks.Paused, tasks.Canceling, tasks.Finished,
	tasks.FinishedWithFailures, tasks.Failed, tasks.Canceled,
}
