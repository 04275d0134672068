// Package explain determines why a row has its status, and why a task or a queue makes no progress.
// It returns each reason as a sentence in the user's language, with the next step.
//
// The reasons for a tenant contain no rows of other tenants. Package explain changes no data.
package explain

import (
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// Service explains the states of rows, tasks and queues.
type Service struct {
	Events *events.Store
	Log    *slog.Logger
	Manage *manage.Service
	Now    func() time.Time
	Queue  *queue.Client
	Tasks  *tasks.Store

	Timeout time.Duration // time limit of a read from Redis
}
