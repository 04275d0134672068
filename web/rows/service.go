// Package rows changes tasks and rows for the API and the pages. It pauses, resumes and cancels tasks. It
// edits, resubmits, corrects and cancels rows, and undoes acts. It deletes the files, rows and records that
// remain of deleted tasks.
//
// If a row has changed since the client has read it, the package rejects an edit of the row and changes
// nothing. Package internal/review validates the changes of rows. The context of a call holds the caller.
package rows

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/taskcache"
)

// Service is the object that changes tasks and rows. The context of each call holds the caller, which
// auth.WithCaller has stored.
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

	Retention time.Duration // time for which done tasks that ran an act are stored

	Queue       *queue.Client
	CancelGrace time.Duration // time in which processes record the rows that they run, before pushed rows are canceled

	Wake func(ctx context.Context, topic string)
}
