// Package intake reads requests for tasks: forms with a file, JSON, one JSON object per line, exports,
// corrected files, and the stored requests of schedules.
//
// The package rejects a body that is too large, too slow or truncated, and returns the reason. It removes
// the file of a rejected request. After an error of ReadSource, however, the caller must remove the file.
// Package internal/ingest creates the tasks.
package intake

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Reader is a reader of requests for tasks: uploads, JSON, lines, exports, and the requests of schedules.
type Reader struct {
	Events       *events.Store
	Ingest       *ingest.Service
	Limits       tabular.Limits
	Looking      chan struct{}
	MaxUpload    int64
	StallTimeout time.Duration
	Ready        func(ctx context.Context) error
	Tasks        *tasks.Store
	Uploads      *uploads.Store
}

// Add commits the task that a request describes. If deduplication finds the task of an earlier request,
// Add returns that task, and `old` is true.
func (s *Reader) Add(ctx context.Context, w Source, u *ingest.Request) (t *tasks.Task, old bool, err error) {
	if w.Export != nil {
		t, err = s.Ingest.AddExport(ctx, u, w.Export)
		return t, false, err
	}
	return s.Ingest.Import(ctx, u)
}
