package intake

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// quotaTimeout bounds how long a request waits for its quota.
const quotaTimeout = 10 * time.Second

// CheckQuota returns an error before a request is read if its tenant has no quota for so much more.
func (s *Reader) CheckQuota(ctx context.Context, more tasks.Use) error {
	ctx, cancel := context.WithTimeout(ctx, quotaTimeout)
	defer cancel()
	return s.Tasks.Room(ctx, auth.Tenant(ctx), more)
}
