package web

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// entryView is one act in the audit of a task.
type entryView struct {
	At      *string            `json:"at"`
	By      string             `json:"by"`
	Act     string             `json:"act"`
	EventID *string            `json:"event_id"` // the row, if it is about one
	Rows    int64              `json:"rows"`
	Before  map[string]*string `json:"before,omitempty"`
	After   map[string]*string `json:"after,omitempty"`
	Code    string             `json:"code,omitempty"` // of the fault that an edit left
	Note    string             `json:"note,omitempty"`
	First   int                `json:"first_row,omitempty"`
	Last    int                `json:"last_row,omitempty"`
	Request json.RawMessage    `json:"request,omitempty"` // what was asked for, of many rows
}

// listAudit serves GET /tasks/{id}/audit.
func (s *Server) listAudit(c *gin.Context) error {
	limit, before, err := s.listPage(c)
	if err != nil {
		return err
	}
	t, err := s.opt.Tasks.Get(c.Request.Context(), s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	list, err := s.opt.Tasks.Trail(c.Request.Context(), t.Num, before, limit+1)
	if err != nil {
		return err
	}
	kind, _ := s.opt.Kinds.Kind(t.Kind) // of a kind that is gone, nothing is sensitive
	items, next := []entryView{}, (*int64)(nil)
	for i := range list[:min(len(list), limit)] {
		items = append(items, viewEntry(t, kind, &list[i]))
	}
	switch {
	case len(list) > limit:
		next = nextAt(true, list[limit-1].Num)
	case len(items) < limit:
		items = append(items, entryView{
			At: instant(t.CreatedAt), By: cmp.Or(t.CreatedBy, t.Tenant), Act: tasks.ActCreate,
		})
	default: // the first act, on a page of its own
		next = nextAt(true, 1)
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": sealed(c, next)})
	return nil
}

func viewEntry(t *tasks.Task, kind worker.Kind, e *tasks.Entry) entryView {
	v := entryView{At: instant(e.At), By: e.Actor, Act: e.Act, Rows: e.Rows}
	if e.Seq > 0 {
		v.EventID = optional(events.NewID(t.Num, e.Seq).JobID(t.ID))
	}
	var detail struct {
		Before, After map[string]*string
		Code, Note    string
		First         int `json:"first_row"`
		Last          int `json:"last_row"`
		Act           json.RawMessage
	}
	if e.Detail == "" || json.Unmarshal([]byte(e.Detail), &detail) != nil {
		return v
	}
	v.Code, v.Note, v.First, v.Last, v.Request = detail.Code, detail.Note, detail.First, detail.Last, detail.Act
	if detail.After != nil {
		v.Before, v.After = showCells(kind, detail.Before), showCells(kind, detail.After)
	}
	return v
}
