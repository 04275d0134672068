package operate

import (
	"context"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Makers revokes keys and people together with what they made.
type Makers struct {
	Access    *access.Store
	Schedules *tasks.Schedules
	Outbox    *tasks.Outbox
}

// Ended is how much ended with a key or person. Links to files end without a record.
type Ended struct {
	Keys      int64 // with the key or person itself
	Schedules int64 // are paused
	Webhooks  int64 // are disabled
}

// Revoke revokes a tenant's key or person, and the keys that it made, directly or by another
// key. It pauses their schedules and disables their webhooks. After an error the caller
// repeats it: what is revoked stays so. access.ErrNotFound if there is no such key or person.
func (m Makers) Revoke(ctx context.Context, actor, tenant, id string) (Ended, error) {
	ids, err := m.Access.RevokeMade(ctx, actor, tenant, id)
	if err != nil {
		return Ended{}, err
	}
	out := Ended{Keys: int64(len(ids))}
	if out.Schedules, err = m.Schedules.PauseMade(ctx, ids); err != nil {
		return out, err
	}
	out.Webhooks, err = m.Outbox.DisableMade(ctx, ids)
	return out, err
}
