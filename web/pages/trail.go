package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// mostTrail is how many acts a task's page tells.
const mostTrail = 20

// trail tells what was done to a task, newest first, and how it began.
func (p *Handlers) trail(c *gin.Context, t *tasks.Task) (out []render.TrailView, err error) {
	list, err := p.Manage.TaskAudit(c.Request.Context(), t, 0, mostTrail)
	if err != nil {
		return nil, err
	}
	in, kind := request.Printer(c), p.Locale.Localizer(c, t).Kind
	for i := range list {
		out = append(out, render.HistoryEntry(in, view.OfTaskAuditEntry(t, kind, &list[i])))
	}
	return out, nil
}
