package pages

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// controlTask returns the handler of POST /tasks/{id}/pause, /resume or /cancel. The handler redirects to
// the page of the task. If the task has changed state and the act is not possible, the page shows the
// new state.
func (p *Handlers) controlTask(verb string, timeout time.Duration) func(*gin.Context) error {
	return route.Within(timeout, func(c *gin.Context) error {
		form := request.Form(c)
		if form.Get("ready") != "" {
			if err := p.runReady(c); err != nil {
				return err
			}
		}
		var prob *problem.Problem
		err := p.Rows.Control(c.Request.Context(), c.Param("id"), verb, form.Get("superseded") == intake.RunSuperseded)
		if err != nil && (!errors.As(err, &prob) || prob.Status != http.StatusConflict) {
			return err
		}
		c.Redirect(http.StatusSeeOther, "/tasks/"+url.PathEscape(c.Param("id")))
		return nil
	})
}

// runReady resubmits the corrected rows of a paused task, if the user may do so.
func (p *Handlers) runReady(c *gin.Context) error {
	ctx := c.Request.Context()
	if !request.Caller(c).May(access.RowsReview) {
		return nil
	}
	t, err := p.Tasks.Get(ctx, request.Tenant(c), c.Param("id"))
	if err != nil || t.Status != tasks.Paused {
		return err
	}
	_, err = p.Rows.Bulk(ctx, t, review.BulkAction{
		Act: review.Resubmit, By: request.Actor(c), Filter: events.Filter{Resolution: events.Fixed},
	})
	if err != nil {
		return rows.ReviewProblem(err, nil, "")
	}
	return nil
}
