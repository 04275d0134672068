package operate

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
)

// Makers holds the stores with which Revoke revokes API keys and users, pauses their schedules and
// disables their webhooks.
type Makers struct {
	Access    *access.Store
	Schedules *schedules.Store
	Notify    *notify.Store
	Log       *audit.Log
}

// ActEndMade is the name of Makers.Revoke in the audit log of operators.
const ActEndMade = "end-made"

// Ended holds the result of Revoke. The field Keys also counts API keys that were revoked earlier. The
// fields Schedules and Webhooks count only the changes of the call. Links to files also end, but are not
// counted.
type Ended struct {
	Keys      int64 `json:"keys"`      // including the revoked API key or user
	Schedules int64 `json:"schedules"` // paused schedules
	Webhooks  int64 `json:"webhooks"`  // disabled webhooks
}

// Revoke revokes an API key or user of a tenant, and the API keys that this key or user made, directly or
// through another API key. It pauses the schedules that any of these added or resumed, and disables the
// webhooks that any of these added. After an error, a repeated call makes the remaining changes. Revoke
// returns access.ErrNotFound for an unknown API key or user.
func (m Makers) Revoke(ctx context.Context, actor, tenant, id string) (Ended, error) {
	ids, err := m.Access.RevokeMade(ctx, actor, tenant, id)
	if err != nil {
		return Ended{}, err
	}
	num, err := m.Log.Begin(ctx, audit.Entry{
		Subject: audit.Operators(tenant), Actor: actor, Act: ActEndMade, Target: id, Touched: audit.InProgress,
	})
	out := Ended{Keys: int64(len(ids))}
	if err == nil {
		out.Schedules, err = m.Schedules.PauseMade(ctx, ids)
	}
	if err == nil {
		out.Webhooks, err = m.Notify.DisableMade(ctx, ids)
	}
	if err != nil {
		return out, err
	}
	return out, m.Log.Finish(ctx, num, out.Keys+out.Schedules+out.Webhooks, audit.Detail{Request: out.json()})
}

// json returns the numbers for the audit log.
func (e Ended) json() json.RawMessage {
	text, _ := json.Marshal(e) // no error: numbers can always be encoded
	return text
}
