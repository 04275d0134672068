package manage

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/web/view"
)

// SetWeight changes the weight of a tenant and adds an audit entry. Only the owner may call it.
func (s *Service) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if _, err := s.NoteOn(ctx, tenant, "limits", map[string]any{"weight": weight}, 1); err != nil {
		return err
	}
	return s.Tasks.SetWeight(ctx, tenant, weight)
}

// Weight returns the weight of a tenant.
func (s *Service) Weight(ctx context.Context, tenant string) (int64, error) {
	l, err := s.Tasks.Limits(ctx, tenant)
	return view.WeightOf(l), err
}

// SetHours changes the run hours of a tenant and adds an audit entry. Only the owner may call it.
func (s *Service) SetHours(ctx context.Context, tenant, hours string) error {
	if _, err := s.NoteOn(ctx, tenant, "limits", map[string]any{"run_hours": hours}, 1); err != nil {
		return err
	}
	return s.Tasks.SetHours(ctx, tenant, hours)
}

// ParseHours reads the run hours of a request. It returns nil for missing hours and for null.
func ParseHours(text json.RawMessage) (hours *string, err error) {
	if text == nil {
		return nil, nil
	}
	if json.Unmarshal(text, &hours) != nil {
		return nil, errHours()
	}
	if hours != nil {
		err = CheckHours(*hours)
	}
	return hours, err
}

// CheckHours returns a problem if a text does not describe run hours.
func CheckHours(hours string) error {
	if _, err := cron.ParseHours(hours); err != nil {
		return errHours()
	}
	return nil
}

func errHours() error {
	return BadLimits("/run_hours", "run_hours is a part of the day in a time zone, as 22:00-06:00 Europe/Berlin; empty is the whole day.")
}
