// Package manage executes the acts of operators for the API and for the pages of operators. The acts change
// queues, nodes, keys of queues, tenants and their limits, API keys, schedules and webhooks.
//
// The package adds an audit entry before each act on a queue, a node, keys of a queue, or a tenant. A dry
// run adds no entry. If the removal of a tenant only cancels its unfinished tasks, each of these tasks gets
// an entry instead. A caller other than the owner acts on its own tenant only. The context of a call holds
// its caller.
package manage

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Service is the executor of the acts of operators. It adds the acts to the audit log. The context of each
// call holds the caller, which auth.WithCaller has stored.
type Service struct {
	Access       *access.Store
	Audit        *audit.Log
	CheckAddress func(url string) error
	Events       *events.Store
	Kinds        *jobs.Registry
	Notify       *notify.Store
	Now          func() time.Time
	Queue        *queue.Client
	RateLimit    int
	Schedules    *schedules.Store
	Tasks        *tasks.Store
	Tenants      *operate.Tenants
	Wake         func(ctx context.Context, topic string)

	paused pausedQueues
}
