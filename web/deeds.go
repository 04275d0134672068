package web

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
)

// deedView is what an operator did.
type deedView struct {
	At      *string         `json:"at"`
	By      string          `json:"by"`
	Act     string          `json:"act"`
	Target  string          `json:"target"`
	Touched *int64          `json:"touched"` // null: its end was not noted
	Detail  json.RawMessage `json:"detail"`
}

func viewDeed(d *tasks.Deed) deedView {
	v := deedView{
		At: instant(d.At), By: d.Actor, Act: d.Act, Target: d.Target,
		Detail: json.RawMessage("null"),
	}
	if d.Touched != tasks.Begun {
		v.Touched = &d.Touched
	}
	if d.Detail != "" {
		v.Detail = json.RawMessage(d.Detail)
	}
	return v
}

// listDeeds serves GET /audit.
func (s *Server) listDeeds(c *gin.Context) error {
	limit, before, err := s.listPage(c)
	if err != nil {
		return err
	}
	list, err := s.opt.Tasks.Deeds(c.Request.Context(), s.tenant(c), before, limit+1)
	if err != nil {
		return err
	}
	items, at := []deedView{}, int64(0)
	if len(list) > limit {
		list, at = list[:limit], list[limit-1].Num
	}
	for i := range list {
		items = append(items, viewDeed(&list[i]))
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": sealed(c, nextAt(at > 0, at))})
	return nil
}
