// Package pages serves the pages of users: imports, exports, tasks, and the repair of rows.
//
// The pages work without a script. If another user changes a row while a user edits it, the page shows
// both versions, and the typed values are not lost. The code that pages and the API share is in other
// packages, such as rows and intake.
package pages

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/explain"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/taskcache"
)

// Handlers holds the dependencies of the users' pages.
type Handlers struct {
	Cache     *taskcache.Cache
	Events    *events.Store
	Explain   *explain.Service
	Files     blobs.Store
	Find      *request.Finder
	Ingest    *ingest.Service
	Intake    *intake.Reader
	Kinds     *jobs.Registry
	Limits    tabular.Limits
	Lists     *tasklist.List
	Locale    *request.Localizers
	Log       *slog.Logger
	Manage    *manage.Service
	Mappings  *mappings.Store
	MaxUpload int64
	Now       func() time.Time
	Problems  *request.Problems
	Render    *render.Renderer
	Rows      *rows.Service
	Tasks     *tasks.Store
	Wake      func(ctx context.Context, topic string)
}

// Routes returns the routes of pages.
func (p *Handlers) Routes() []route.Route { return slices.Concat(p.pageRoutes(), p.preferenceRoutes()) }
