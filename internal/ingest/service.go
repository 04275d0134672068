package ingest

import (
	"context"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Service is the service that creates tasks. All fields are required.
type Service struct {
	Tasks     *tasks.Store
	Events    *events.Store
	Schedules *schedules.Store
	Uploads   *uploads.Store
	Files     blobs.Store
	Kinds     *jobs.Registry
	Limits    tabular.Limits // of a file

	Retention time.Duration // how long a task is kept once it is done

	Now func() time.Time // decides whether the start time of a task has passed

	// CheckAddress returns an error if the service must not send callbacks to an address.
	CheckAddress func(url string) error

	// Log receives errors that happen after the commit of a task.
	Log *slog.Logger

	// Wake wakes the processes that listen to a topic.
	Wake func(ctx context.Context, topic string)
}
