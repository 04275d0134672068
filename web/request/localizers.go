package request

import (
	"log/slog"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Localizer returns an object that renders the rows of a task for the caller. For an unregistered kind,
// the object uses only the texts of Rollcall.
func (s *Localizers) Localizer(c *gin.Context, t *tasks.Task) view.Localizer {
	kind := auth.Kind(c.Request.Context(), s.Kinds, t.Kind).WithHeadings(view.Headings(t.Columns))
	v := view.Localizer{Kind: kind, Lang: c.GetString(LangKey), Operator: Caller(c).May(access.OpsRead)}
	v.Runner = func(by *int32) events.Runner {
		r, err := s.Events.Runner(c.Request.Context(), by)
		if err != nil {
			s.Log.WarnContext(c.Request.Context(), "the process that ran a row could not be read", "err", err)
		}
		return r
	}
	return v
}

// Localizers is a builder of the view.Localizer for a task and a caller.
type Localizers struct {
	Events *events.Store
	Kinds  *jobs.Registry
	Log    *slog.Logger
}
