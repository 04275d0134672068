package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// firstErrors is how many bad rows come with the poll.
const firstErrors = 20

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
	s.pollHeaders(c, l.task)
	if known(c.Request.Header, etag(c, l.task)) {
		c.Status(http.StatusNotModified)
		return nil
	}
	text, err := l.in(c.GetString(langKey))
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", text.body)
	return nil
}

// pollHeaders tell which version it is, and when to ask for the next.
func (s *Server) pollHeaders(c *gin.Context, t *tasks.Task) {
	if now := s.opt.Now(); !t.Status.Done() {
		c.Header("Retry-After", view.PollAfter(t, view.OfProgress(t, now), now))
	}
	c.Header("ETag", etag(c, t))
	c.Header("Cache-Control", "no-cache")
}

// etag names a version of a task in the language of the request.
func etag(c *gin.Context, t *tasks.Task) string {
	tag := strconv.FormatInt(t.Version, 10)
	if lang := c.GetString(langKey); lang != words.Default {
		tag += "-" + lang
	}
	return strconv.Quote(tag)
}

// waitStep is how often a waiting poll looks again.
const waitStep = 200 * time.Millisecond

// waitFor reads a task, for up to wait until it is done or, if the caller
// knows a version, until it is another. What the board knows is told without a
// timer of the request's own: the board bounds what it asks the ledger.
func (s *Server) waitFor(c *gin.Context, id string, wait time.Duration) (*look, error) {
	end := time.Now().Add(wait)
	asked := c.GetHeader("If-None-Match") != ""
	for {
		if err := s.dismissed(c); err != nil {
			return nil, err
		}
		l, err := s.board.get(c.Request.Context(), s.tenant(c), id)
		if err != nil {
			return nil, err
		}
		fresh := asked && !known(c.Request.Header, etag(c, l.task))
		if l.task.Status.Done() || fresh || !time.Now().Add(waitStep).Before(end) {
			return l, nil
		}
		select {
		case <-c.Request.Context().Done():
			return nil, context.Cause(c.Request.Context())
		case <-s.stopping:
			return l, nil // who waits is not kept from another process
		case <-l.over:
		case <-time.After(waitStep):
		}
	}
}

// telling shows what was read of a task, in a language.
type telling func(lang string) view.Task

// fullTask reads a task's first errors and their groups, to be shown with it.
func (s *Server) fullTask(ctx context.Context, t *tasks.Task) (telling, error) {
	v := view.OfTask(t, s.opt.Now())
	if t.Failed+t.Error == 0 {
		return func(lang string) view.Task {
			out := v
			out.Problem = problem.OfTask(lang, t.Problem)
			return out
		}, nil
	}
	list, err := s.opt.Events.Bad(ctx, t.Num, events.Filter{Limit: firstErrors})
	if err != nil {
		return nil, err
	}
	groups, err := s.opt.Events.Groups(ctx, t.Num)
	if err != nil {
		return nil, err
	}
	return func(lang string) view.Task {
		out := v
		out.Problem = problem.OfTask(lang, t.Problem)
		loc := s.localizerIn(lang, t)
		out.Errors, out.ErrorGroups = loc.RowErrors(t.ID, list), loc.Groups(groups)
		return out
	}, nil
}

// taskStatuses are those that the list can be filtered by.
var taskStatuses = []tasks.Status{
	tasks.Open, tasks.Splitting, tasks.Running, tasks.Paused, tasks.Canceling, tasks.Finished,
	tasks.FinishedWithFailures, tasks.Failed, tasks.Canceled,
}
