package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// listTasks serves GET /tasks. A page looks at a bounded number of tasks, so it
// may be short, or empty, and still have a next one.
func (s *Server) listTasks(c *gin.Context) error {
	q, err := s.readSearch(c)
	if err != nil {
		return err
	}
	list, next, err := s.opt.Tasks.Search(c.Request.Context(), s.tenant(c), q)
	if err != nil {
		return err
	}
	now := s.opt.Now()
	items := view.All(list, func(t *tasks.Task) view.Task { return view.OfTask(t, now) })
	return answerPage(c, items, sealed(c, nextAt(next > 0, next)))
}

// readSearch reads which tasks are asked for.
func (s *Server) readSearch(c *gin.Context) (q tasks.Search, err error) {
	if q.Limit, q.Before, err = s.listPage(c); err != nil {
		return q, err
	}
	status, err := oneOf(c, "status", taskStatuses...)
	if err != nil {
		return q, err
	}
	if q.Since, err = readTime(c, "created_after"); err != nil {
		return q, err
	}
	if q.Until, err = readTime(c, "created_before"); err != nil {
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

// readTime reads a query parameter that is a time, as unix ms; 0 if it is not
// given.
func readTime(c *gin.Context, name string) (int64, error) {
	text := c.Query(name)
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.UnixMilli() <= 0 {
		return 0, problem.BadParameter(name, fmt.Sprintf("%s is a time such as 2027-01-31T12:00:00Z.", name))
	}
	return at.UnixMilli(), nil
}
