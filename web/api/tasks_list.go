package api

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// listTasks serves GET /tasks. The search for one page reads at most 10,000 tasks, so a page may be short
// or empty and still have a next page.
func (s *Handlers) listTasks(c *gin.Context) error {
	q, err := s.readSearch(c)
	if err != nil {
		return err
	}
	list, next, err := s.Tasks.Search(c.Request.Context(), request.Tenant(c), q)
	if err != nil {
		return err
	}
	now := s.Now()
	items := view.All(list, func(t *tasks.Task) view.Task { return view.OfTask(t, now) })
	return request.AnswerPage(c, items, request.Sealed(c, request.NextAt(next > 0, next)))
}

// readSearch reads the search conditions and the page of a list of tasks.
func (s *Handlers) readSearch(c *gin.Context) (q tasks.Search, err error) {
	var at int64
	if q.Limit, at, err = s.Cursors.ListPage(c); err != nil {
		return q, err
	}
	order, err := request.OneOf(c, "sort", "-created_at", "created_at")
	if err != nil {
		return q, err
	}
	if q.Oldest = order == "created_at"; q.Oldest {
		q.After = at
	} else {
		q.Before = at
	}
	status, err := request.OneOf(c, "status", view.TaskStatuses...)
	if err != nil {
		return q, err
	}
	if q.Since, err = request.ReadTime(c, "created_after"); err != nil {
		return q, err
	}
	if q.Until, err = request.ReadTime(c, "created_before"); err != nil {
		return q, err
	}
	if text := c.Query("label"); text != "" {
		var ok bool
		if q.Label, q.Value, ok = strings.Cut(text, ":"); !ok || q.Label == "" {
			return q, problem.BadParameter("label", "label is a name, a colon and a text, such as campaign:spring.")
		}
	}
	q.Status, q.Kind = string(status), c.Query("kind")
	q.Author, q.Text = c.Query("created_by"), c.Query("q")
	for name, text := range map[string]string{"label": q.Value, "created_by": q.Author, "q": q.Text} {
		if !textutil.Storable(text) {
			return q, problem.BadParameter(name, name+" is not plain text.")
		}
	}
	return q, nil
}
