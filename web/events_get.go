package web

import (
	"fmt"
	"math"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// The statuses that lists can be filtered by.
var (
	allStatuses = []events.Status{
		events.Enqueue, events.Working, events.Finish, events.Failed, events.Error, events.Canceled,
	}
	badStatuses = []events.Status{events.Failed, events.Error}
)

// listEvents serves GET /tasks/{id}/events.
func (s *Server) listEvents(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c, allStatuses)
	if err != nil {
		return err
	}
	list, err := s.opt.Events.List(c.Request.Context(), t.Num, f)
	if err != nil {
		return err
	}
	voice, items := s.voice(c, t), []eventView{}
	for i := range list[:min(len(list), limit)] {
		items = append(items, voice.view(t, &list[i]))
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": sealed(c, eventCursor(list, limit))})
	return nil
}

// listErrors serves GET /tasks/{id}/errors.
func (s *Server) listErrors(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c, badStatuses)
	if err != nil {
		return err
	}
	read := s.opt.Events.Bad
	if len(f.Statuses) > 0 {
		read = s.opt.Events.List
	}
	list, err := read(c.Request.Context(), t.Num, f)
	if err != nil {
		return err
	}
	items := s.voice(c, t).errors(t.ID, list[:min(len(list), limit)])
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": sealed(c, eventCursor(list, limit))})
	return nil
}

func eventCursor(list []events.Event, limit int) *string {
	if len(list) <= limit {
		return nil
	}
	return cursor(true, list[limit-1].ID.Seq())
}

// eventPage reads the task, the filter and the page of a list of events. The
// filter asks for one more than the page holds.
func (s *Server) eventPage(
	c *gin.Context, known []events.Status,
) (*tasks.Task, events.Filter, int, error) {
	limit, after, err := listPage(c, "status", "code", "column", "key", "row_gte")
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	from, err := number(c, "row_gte", 1, math.MaxInt32)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	statuses, err := someOf(c, "status", known...)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	f := events.Filter{
		Statuses: statuses, Code: c.Query("code"), Column: c.Query("column"), Key: c.Query("key"),
		RowFrom: from, After: after, Limit: limit + 1,
	}
	t, err := s.opt.Tasks.Get(c.Request.Context(), s.tenant(c), c.Param("id"))
	return t, f, limit, err
}

// listGroups serves GET /tasks/{id}/error-groups.
func (s *Server) listGroups(c *gin.Context) error {
	t, err := s.opt.Tasks.Get(c.Request.Context(), s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	groups, err := s.opt.Events.Groups(c.Request.Context(), t.Num)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{"items": s.voice(c, t).groups(groups), "next_cursor": nil})
	return nil
}

// getEvent serves GET /events/{id}.
func (s *Server) getEvent(c *gin.Context) error {
	taskID, seq, err := events.ParseJobID(c.Param("id"))
	if err != nil {
		return err
	}
	t, err := s.opt.Tasks.Get(c.Request.Context(), s.tenant(c), taskID)
	if err != nil {
		return err
	}
	e, err := s.opt.Events.Get(c.Request.Context(), events.NewID(t.Num, seq))
	if err != nil {
		return err
	}
	c.Header("ETag", fmt.Sprintf(`"%d"`, e.Version))
	c.JSON(http.StatusOK, s.voice(c, t).view(t, e))
	return nil
}
