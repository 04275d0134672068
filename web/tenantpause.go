package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// mayTurn returns tasks.ErrStopped if the caller cannot pause or resume a tenant as asked; nil
// asks for nothing.
func (s *Server) mayTurn(c *gin.Context, tenant string, paused *bool) error {
	if paused == nil || *paused || caller(c).May(access.ServiceWrite) {
		return nil
	}
	state, err := s.opt.Tasks.TenantState(c.Request.Context(), tenant)
	if err == nil && state.Stopped {
		err = tasks.ErrStopped
	}
	return err
}

// pauseTenant pauses a tenant or has it go on, and notes who did; what is so already is not
// noted. What the owner pauses, only the owner resumes.
func (s *Server) pauseTenant(c *gin.Context, tenant string, paused bool) error {
	if err := s.mayTurn(c, tenant, &paused); err != nil {
		return err
	}
	ctx, owner := c.Request.Context(), caller(c).May(access.ServiceWrite)
	is, err := s.opt.Tasks.TenantState(ctx, tenant)
	if err != nil || is.Paused == paused && (!owner || is.Stopped == paused) {
		return err
	}
	verb := map[bool]string{true: "pause-tenant", false: "resume-tenant"}[paused]
	if _, err := s.noteDeedOf(c, tenant, verb, nil, 1); err != nil {
		return err
	}
	set := s.opt.Tasks.PauseTenant
	if owner {
		set = s.opt.Tasks.StopTenant
	}
	if err := set(ctx, tenant, paused); err != nil {
		return err
	}
	if !paused {
		s.ringFor(ctx, worker.FeedTopic)
	}
	return nil
}
