package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
)

// roomFor returns an error before a request is read if its tenant has no quota for so much more.
func (s *Server) roomFor(c *gin.Context, more tasks.Use) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), readTimeout)
	defer cancel()
	return s.opt.Tasks.Room(ctx, s.tenant(c), more)
}
