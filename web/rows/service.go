// Package rows changes tasks and rows for the API and the pages: it controls tasks, edits, resubmits
// and corrects rows, undoes acts, and removes the remains of deleted tasks.
//
// It promises that an edit fails without changes if the row has another version than the client has
// seen. Package internal/review decides about rows. The context of a call holds its caller.
package rows

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/taskcache"
)

// Service changes tasks and rows: it controls tasks, edits, resubmits and corrects rows. The context
// of a call holds its caller; see auth.Caller.
type Service struct {
	Cache  *taskcache.Cache
	Events *events.Store
	Files  blobs.Store
	Ingest *ingest.Service
	Intake *intake.Reader
	Kinds  *jobs.Registry
	Limits tabular.Limits
	Now    func() time.Time
	Tasks  *tasks.Store
	Wake   func(ctx context.Context, topic string)
}
