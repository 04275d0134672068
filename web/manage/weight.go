package manage

import (
	"context"

	"github.com/rollcall-dev/rollcall/web/view"
)

// SetWeight changes the weight of a tenant, for the owner, and notes the caller in the audit log.
func (s *Service) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if _, err := s.NoteOn(ctx, tenant, "limits", map[string]any{"weight": weight}, 1); err != nil {
		return err
	}
	return s.Tasks.SetWeight(ctx, tenant, weight)
}

// Weight reads the weight of a tenant.
func (s *Service) Weight(ctx context.Context, tenant string) (int64, error) {
	l, err := s.Tasks.Limits(ctx, tenant)
	return view.WeightOf(l), err
}
