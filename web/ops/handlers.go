// Package ops serves the pages of operators: queues, nodes, tenants, tasks, rows, system errors, schedules,
// webhooks, limits, API keys and the audit log.
//
// Acts that may do harm need a confirmation. For an act on keys or rows, the confirmation shows how many
// keys or rows the act will change. Operators see the keys and rows of their own tenant only.
package ops

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/explain"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// Handlers holds the dependencies of the operators' pages.
type Handlers struct {
	Access    *access.Store
	Audit     *audit.Log
	Events    *events.Store
	Explain   *explain.Service
	Find      *request.Finder
	Intake    *intake.Reader
	Kinds     *jobs.Registry
	Locale    *request.Localizers
	Manage    *manage.Service
	Notify    *notify.Store
	Now       func() time.Time
	Opens     func(g access.Grant, door string) bool
	Queue     *queue.Client
	Render    *render.Renderer
	Rows      *rows.Service
	Schedules *schedules.Store
	Tasks     *tasks.Store
}
