package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

// found returns a handler that loads the resource of the request's path with find and
// passes it to serve.
func found[T any](find func(*gin.Context) (T, error), serve func(*gin.Context, T) error) handler {
	return func(c *gin.Context) error {
		thing, err := find(c)
		if err != nil {
			return err
		}
		return serve(c, thing)
	}
}

func (s *Server) taskOf(c *gin.Context) (*tasks.Task, error) {
	return s.opt.Tasks.Get(c.Request.Context(), s.tenant(c), c.Param("id"))
}

func (s *Server) forTask(serve func(*gin.Context, *tasks.Task) error) handler {
	return found(s.taskOf, serve)
}

func (s *Server) webhookOf(c *gin.Context) (*notify.Webhook, error) {
	return s.opt.Notify.Webhook(c.Request.Context(), s.tenant(c), c.Param("id"))
}

func (s *Server) forWebhook(serve func(*gin.Context, *notify.Webhook) error) handler {
	return found(s.webhookOf, serve)
}

// keyOf returns the key that the path names: of the caller's tenant, or any for the owner.
func (s *Server) keyOf(c *gin.Context) (*access.Key, error) {
	ctx, tenant, id := c.Request.Context(), s.tenant(c), c.Param("id")
	if caller(c).May(access.ServiceWrite) {
		var err error
		if tenant, err = s.opt.Access.Owner(ctx, id); err != nil {
			return nil, err
		}
	}
	return s.opt.Access.Get(ctx, tenant, id)
}

func (s *Server) forKey(serve func(*gin.Context, *access.Key) error) handler {
	return found(s.keyOf, serve)
}

func (s *Server) scheduleOf(c *gin.Context) (*schedules.Schedule, error) {
	return s.opt.Schedules.Get(c.Request.Context(), s.tenant(c), c.Param("id"))
}

func (s *Server) forSchedule(serve func(*gin.Context, *schedules.Schedule) error) handler {
	return found(s.scheduleOf, serve)
}
