package web

import (
	"math"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// listEvents serves GET /tasks/{id}/events.
func (s *Server) listEvents(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c)
	if err != nil {
		return err
	}
	list, err := s.opt.Events.List(c, t.Num, f)
	if err != nil {
		return err
	}
	kind, _ := s.opt.Kinds.Kind(t.Kind) // of a kind that is gone, no limits are known
	items := []eventView{}
	for i := range list[:min(len(list), limit)] {
		items = append(items, viewEvent(t, kind, &list[i]))
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": eventCursor(list, limit)})
	return nil
}

// listErrors serves GET /tasks/{id}/errors.
func (s *Server) listErrors(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c)
	if err != nil {
		return err
	}
	list, err := s.opt.Events.Bad(c, t.Num, f)
	if err != nil {
		return err
	}
	items := viewErrors(t.ID, list[:min(len(list), limit)])
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": eventCursor(list, limit)})
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
func (s *Server) eventPage(c *gin.Context) (*tasks.Task, events.Filter, int, error) {
	limit, after, err := page(c)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	from, err := number(c, "row_gte", 1, math.MaxInt32)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	f := events.Filter{
		Code: c.Query("code"), Column: c.Query("column"), Key: c.Query("key"), RowFrom: from,
		After: after, Limit: limit + 1,
	}
	if text := c.Query("status"); text != "" {
		for status := range strings.SplitSeq(text, ",") {
			f.Statuses = append(f.Statuses, events.Status(status))
		}
	}
	t, err := s.opt.Tasks.Get(c, s.tenant(c), c.Param("id"))
	return t, f, limit, err
}

// listGroups serves GET /tasks/{id}/error-groups.
func (s *Server) listGroups(c *gin.Context) error {
	t, err := s.opt.Tasks.Get(c, s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	groups, err := s.opt.Events.Groups(c, t.Num)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{"items": viewGroups(groups), "next_cursor": nil})
	return nil
}

// getEvent serves GET /events/{id}.
func (s *Server) getEvent(c *gin.Context) error {
	taskID, seq, err := events.ParseJobID(c.Param("id"))
	if err != nil {
		return err
	}
	t, err := s.opt.Tasks.Get(c, s.tenant(c), taskID)
	if err != nil {
		return err
	}
	e, err := s.opt.Events.Get(c, events.NewID(t.Num, seq))
	if err != nil {
		return err
	}
	kind, _ := s.opt.Kinds.Kind(t.Kind) // of a kind that is gone, no limits are known
	c.JSON(http.StatusOK, viewEvent(t, kind, e))
	return nil
}
