package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/taskcache"
	"github.com/rollcall-dev/rollcall/web/view"
)

// getTask serves GET /tasks/{id}, which clients poll. The cache holds the whole task. With the
// parameter "fields", the response has a part of the task.
func (s *Handlers) getTask(c *gin.Context) error {
	wait, err := request.Number(c, "wait", 0, 30)
	if err != nil {
		return err
	}
	fields, err := request.Fields[view.Task](c)
	if err != nil {
		return err
	}
	l, err := s.waitFor(c, c.Param("id"), time.Duration(wait)*time.Second)
	if err != nil {
		return err
	}
	s.pollHeaders(c, l.Task)
	if input.IfNoneMatch(c.Request.Header, view.Etag(c.GetString(request.LangKey), l.Task)) {
		c.Status(http.StatusNotModified)
		return nil
	}
	text, err := l.In(c.GetString(request.LangKey), base.Of(c.Request.Context()))
	if err != nil {
		return err
	}
	body := text.Body
	if fields != nil {
		if body, err = view.Part(json.RawMessage(body), fields); err != nil {
			return err
		}
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", body)
	return nil
}

// pollHeaders sets the headers of a response to a poll: the ETag of the task and Cache-Control. Until the
// task is done, it also sets Retry-After, the time until the next poll.
func (s *Handlers) pollHeaders(c *gin.Context, t *tasks.Task) {
	if now := s.Now(); !t.Status.Done() {
		c.Header("Retry-After", view.PollAfter(t, view.OfProgress(t, now), now))
	}
	c.Header("ETag", view.Etag(c.GetString(request.LangKey), t))
	c.Header("Cache-Control", "no-cache")
}

// waitStep is the longest time between two reads of a request that waits for a task.
const waitStep = 200 * time.Millisecond

// waitFor returns a task when it is done or, if the request has If-None-Match, when the task has another
// version. If less than waitStep of the time `wait` is left, or the process stops, waitFor returns the
// current task. It reads the task through the cache, which limits the reads of the database.
func (s *Handlers) waitFor(c *gin.Context, id string, wait time.Duration) (*taskcache.Snapshot, error) {
	end := time.Now().Add(wait)
	asked := c.GetHeader("If-None-Match") != ""
	for {
		if err := s.Auth.RecheckAuth(c); err != nil {
			return nil, err
		}
		l, err := s.Cache.Get(c.Request.Context(), request.Tenant(c), id)
		if err != nil {
			return nil, err
		}
		fresh := asked && !input.IfNoneMatch(c.Request.Header, view.Etag(c.GetString(request.LangKey), l.Task))
		if l.Task.Status.Done() || fresh || !time.Now().Add(waitStep).Before(end) {
			return l, nil
		}
		select {
		case <-c.Request.Context().Done():
			return nil, context.Cause(c.Request.Context())
		case <-s.Stopping:
			return l, nil // the client polls again, and another process answers
		case <-l.Changed():
		case <-time.After(waitStep):
		}
	}
}

// streamTask serves GET /tasks/{id}/stream. Its server-sent events have the same JSON as the response of
// getTask.
func (s *Handlers) streamTask(c *gin.Context) error {
	stream := taskcache.Stream{
		Base:  base.Of(c.Request.Context()),
		Cache: s.Cache, Tenant: request.Tenant(c), ID: c.Param("id"), Lang: c.GetString(request.LangKey), Stopping: s.Stopping,
		Check: func() error { return s.Auth.RecheckAuth(c) },
	}
	return stream.Serve(c.Writer, c.Request)
}
