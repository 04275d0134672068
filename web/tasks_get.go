package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// firstErrors is how many bad rows come with the poll.
const firstErrors = 20

// getTask serves GET /tasks/{id}: the poll.
func (s *Server) getTask(c *gin.Context) error {
	wait, err := number(c, "wait", 0, 30)
	if err != nil {
		return err
	}
	t, err := s.waitFor(c, c.Param("id"), time.Duration(wait)*time.Second)
	if err != nil {
		return err
	}
	if !t.Status.Done() {
		c.Header("Retry-After", retryAfter(t, viewProgress(t, s.opt.Now()), s.opt.Now()))
	}
	c.Header("ETag", etag(t))
	c.Header("Cache-Control", "no-cache")
	if slices.Contains(c.Request.Header.Values("If-None-Match"), etag(t)) {
		c.Status(http.StatusNotModified)
		return nil
	}
	v, err := s.fullTask(c, t)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, v)
	return nil
}

func etag(t *tasks.Task) string { return fmt.Sprintf(`"%d"`, t.Version) }

// waitStep is how often a waiting poll looks again.
const waitStep = 200 * time.Millisecond

// waitFor reads a task, for up to wait until it is done or, if the caller
// knows a version, until it is another.
func (s *Server) waitFor(c *gin.Context, id string, wait time.Duration) (*tasks.Task, error) {
	end := time.Now().Add(wait)
	known := c.Request.Header.Values("If-None-Match")
	for {
		t, err := s.opt.Tasks.Get(c, s.tenant(c), id)
		if err != nil {
			return nil, err
		}
		fresh := len(known) > 0 && !slices.Contains(known, etag(t))
		if t.Status.Done() || fresh || !time.Now().Add(waitStep).Before(end) {
			return t, nil
		}
		select {
		case <-c.Request.Context().Done():
			return nil, context.Cause(c.Request.Context())
		case <-time.After(waitStep):
		}
	}
}

// fullTask shows a task with its first errors and their groups.
func (s *Server) fullTask(ctx context.Context, t *tasks.Task) (taskView, error) {
	v := viewTask(t, s.opt.Now())
	if t.Failed+t.Error == 0 {
		return v, nil
	}
	list, err := s.opt.Events.Bad(ctx, t.Num, events.Filter{Limit: firstErrors})
	if err != nil {
		return v, err
	}
	groups, err := s.opt.Events.Groups(ctx, t.Num)
	if err != nil {
		return v, err
	}
	v.Errors, v.ErrorGroups = viewErrors(t.ID, list), viewGroups(groups)
	return v, nil
}

// listTasks serves GET /tasks.
func (s *Server) listTasks(c *gin.Context) error {
	limit, before, err := page(c)
	if err != nil {
		return err
	}
	list, err := s.opt.Tasks.List(c, s.tenant(c), tasks.Filter{
		Status: c.Query("status"), Kind: c.Query("kind"), Before: before, Limit: limit + 1,
	})
	if err != nil {
		return err
	}
	more := len(list) > limit
	list = list[:min(len(list), limit)]
	items := []taskView{}
	for i := range list {
		items = append(items, viewTask(&list[i], s.opt.Now()))
	}
	at := int64(0)
	if more {
		at = list[limit-1].Num
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": cursor(more, at)})
	return nil
}

// tenant is whose request it is.
func (s *Server) tenant(*gin.Context) string { return s.opt.Tenant }
