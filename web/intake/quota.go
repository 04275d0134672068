package intake

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// quotaTimeout bounds how long a request waits for its quota.
const quotaTimeout = 10 * time.Second

// CheckQuota is called before a request is read. It returns an error if the quota of the tenant is too
// small for the request.
func (s *Reader) CheckQuota(ctx context.Context, more tasks.Use) error {
	ctx, cancel := context.WithTimeout(ctx, quotaTimeout)
	defer cancel()
	return s.Tasks.Room(ctx, auth.Tenant(ctx), more)
}
