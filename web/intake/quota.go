package intake

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// quotaTimeout bounds the check of a quota.
const quotaTimeout = 10 * time.Second

// CheckQuota returns an error if the additional use would exceed the quota of the tenant. Handlers call
// it before they read a large request.
func (s *Reader) CheckQuota(ctx context.Context, more tasks.Usage) error {
	ctx, cancel := context.WithTimeout(ctx, quotaTimeout)
	defer cancel()
	return s.Tasks.CheckQuota(ctx, auth.Tenant(ctx), more)
}
