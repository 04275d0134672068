package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/view"
)

// setWeight changes the weight of a tenant, for the owner, and notes who did.
func (s *Server) setWeight(c *gin.Context, tenant string, weight int64) error {
	if _, err := s.noteDeedOf(c, tenant, "limits", gin.H{"weight": weight}, 1); err != nil {
		return err
	}
	return s.opt.Tasks.SetWeight(c.Request.Context(), tenant, weight)
}

// weight reads the weight of a tenant.
func (s *Server) weight(ctx context.Context, tenant string) (int64, error) {
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	return view.WeightOf(l), err
}
