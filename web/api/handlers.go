// Package api serves the HTTP API.
//
// Its responses follow the contract in openapi.yaml. A handler reads the
// request, calls a package that does the work, and answers. The code that the API and package pages share
// is in other packages, such as rows and intake.
package api

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/explain"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/taskcache"
)

// Handlers holds the dependencies of the API's handlers.
type Handlers struct {
	Access      *access.Store
	Audit       *audit.Log
	Auth        *request.Credentials
	Cache       *taskcache.Cache
	Cursors     *request.Cursors
	Events      *events.Store
	Explain     *explain.Service
	Files       blobs.Store
	Find        *request.Finder
	Idempotency *idempotency.Store
	Ingest      *ingest.Service
	Intake      *intake.Reader
	Kinds       *jobs.Registry
	Limits      tabular.Limits
	Links       *auth.Links
	Locale      *request.Localizers
	Log         *slog.Logger
	Manage      *manage.Service
	Mappings    *mappings.Store
	Notify      *notify.Store
	Now         func() time.Time
	Parts       *exporters.Parts
	Queue       *queue.Client
	Rows        *rows.Service
	Schedules   *schedules.Store
	Stopping    <-chan struct{}
	Tasks       *tasks.Store
	Wake        func(ctx context.Context, topic string)
}

// Routes returns the routes of the API that ReserveRoutes does not return.
func (s *Handlers) Routes() []route.Route {
	return slices.Concat(
		s.taskRoutes(), s.rowRoutes(), s.fileRoutes(), s.kindRoutes(), s.scheduleRoutes(), s.webhookRoutes(),
		s.keyRoutes(), s.queueRoutes(), s.uploadRoutes(), s.mappingRoutes(),
	)
}
