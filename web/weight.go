package web

import (
	"context"

	"github.com/rollcall-dev/rollcall/tasks"
)

// weightOf returns the weight of a tenant; 1 if the owner of the service set none.
func weightOf(l tasks.Limits) int64 { return max(l.Weight, 1) }

// weight reads the weight of a tenant.
func (s *Server) weight(ctx context.Context, tenant string) (int64, error) {
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	return weightOf(l), err
}
