package manage

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Weight returns the weight of a tenant: its share while other tenants wait.
func (s *Service) Weight(ctx context.Context, tenant string) (int64, error) {
	l, err := s.Tasks.Limits(ctx, tenant)
	return view.WeightOf(l), err
}

// ParseHours reads the run hours of a request. It returns nil for missing hours and for null, and a problem
// for invalid hours.
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
