package request

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/route"
)

// found returns a handler that loads a resource with the function `find`, and passes it to the
// function `serve`.
func found[T any](find func(*gin.Context) (T, error), serve func(*gin.Context, T) error) route.Handler {
	return func(c *gin.Context) error {
		thing, err := find(c)
		if err != nil {
			return err
		}
		return serve(c, thing)
	}
}

// TaskOf returns the task that the path names.
func (s *Finder) TaskOf(c *gin.Context) (*tasks.Task, error) {
	return s.Tasks.Get(c.Request.Context(), Tenant(c), c.Param("id"))
}

// ForTask returns a handler that calls `serve` with the task that the path names.
func (s *Finder) ForTask(serve func(*gin.Context, *tasks.Task) error) route.Handler {
	return found(s.TaskOf, serve)
}

func (s *Finder) webhookOf(c *gin.Context) (*notify.Webhook, error) {
	return s.Notify.Webhook(c.Request.Context(), Tenant(c), c.Param("id"))
}

// ForWebhook returns a handler that calls `serve` with the webhook that the path names.
func (s *Finder) ForWebhook(serve func(*gin.Context, *notify.Webhook) error) route.Handler {
	return found(s.webhookOf, serve)
}

// keyOf returns the API key that the path names. The owner may name an API key of any tenant.
func (s *Finder) keyOf(c *gin.Context) (*access.Key, error) {
	ctx, tenant, id := c.Request.Context(), Tenant(c), c.Param("id")
	if Caller(c).May(access.ServiceWrite) {
		var err error
		if tenant, err = s.Access.Owner(ctx, id); err != nil {
			return nil, err
		}
	}
	return s.Access.Get(ctx, tenant, id)
}

// ForKey returns a handler that calls `serve` with the API key that the path names.
func (s *Finder) ForKey(serve func(*gin.Context, *access.Key) error) route.Handler {
	return found(s.keyOf, serve)
}

// ScheduleOf returns the schedule that the path names.
func (s *Finder) ScheduleOf(c *gin.Context) (*schedules.Schedule, error) {
	return s.Schedules.Get(c.Request.Context(), Tenant(c), c.Param("id"))
}

// ForSchedule returns a handler that calls `serve` with the schedule that the path names.
func (s *Finder) ForSchedule(serve func(*gin.Context, *schedules.Schedule) error) route.Handler {
	return found(s.ScheduleOf, serve)
}
