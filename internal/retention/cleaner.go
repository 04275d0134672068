package retention

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// stepTimeout bounds one step of the cleaner. roleTTL is how long a process keeps the role of the
// cleaner after it has started a step. chunk is how many tasks or files are read at once.
const (
	stepTimeout = 2 * time.Minute
	roleTTL     = 5 * time.Minute
	chunk       = 100
)

// Options holds the settings of a Cleaner. The zero value works.
type Options struct {
	// Files is the retention of uploaded files and result files after the end of their task. If the
	// task is deleted earlier, its files are deleted, too. Default 7 days.
	Files time.Duration

	// Period is how long new tasks share a partition of events. The partition is dropped once all these
	// tasks are purged. Default 24h.
	Period time.Duration

	// Audit is the audit log. Entries that are not about a task are deleted once they are older
	// than AuditKeep. If Audit is nil, no entries are deleted for their age.
	Audit *audit.Log

	// AuditKeep is the retention of entries of the audit log. Entries about a task are kept as long
	// as the task. Default 365 days.
	AuditKeep time.Duration

	// Uploads is the store of uploads. Uploads without a task are deleted after their expiry. If Uploads
	// is nil, none are deleted.
	Uploads *uploads.Store

	// Mappings is the store of mappings. Mappings without a name are deleted a year after their last
	// use. If their import did not succeed, they are deleted 30 days after their last use. If Mappings
	// is nil, none are deleted.
	Mappings *mappings.Store

	// Every is the interval between two runs. Default 10 minutes.
	Every time.Duration

	// Log receives the numbers of deleted records, and errors. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Files = cmp.Or(o.Files, 7*24*time.Hour)
	o.Period = cmp.Or(o.Period, 24*time.Hour)
	o.AuditKeep = cmp.Or(o.AuditKeep, 365*24*time.Hour)
	o.Every = cmp.Or(o.Every, 10*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return o
}

// Cleaner is a loop that deletes data older than its retention. Any number of processes may run a
// Cleaner, but only one of them works at a time.
type Cleaner struct {
	tasks  *tasks.Store
	events *events.Store
	files  blobs.Store
	opt    Options
	id     string // of this process
}

// New returns a cleaner of tasks, their events and their files.
func New(ts *tasks.Store, es *events.Store, files blobs.Store, opt Options) *Cleaner {
	return &Cleaner{
		tasks: ts, events: es, files: files, opt: opt.withDefaults(), id: uuid.NewString(),
	}
}

// Run calls Clean at the interval Options.Every, until ctx ends.
func (c *Cleaner) Run(ctx context.Context) {
	periodic.Loop{Every: c.opt.Every, Log: c.opt.Log, Failed: "retention failed"}.Run(ctx, c.Clean)
}

// Clean runs all steps once, unless another process has the role of the cleaner. An error of a step does
// not stop the other steps, but a task whose file could not be deleted is not purged.
func (c *Cleaner) Clean(ctx context.Context) error {
	mine, err := c.tasks.AcquireRole(ctx, tasks.Retention, c.id, roleTTL)
	if err != nil || !mine {
		return err
	}
	var faults []error
	for _, step := range c.steps() {
		faults = append(faults, c.step(ctx, step))
	}
	return errors.Join(faults...)
}

// step renews this process's role as cleaner and runs a function with a timeout. It does nothing if
// another process has the role.
func (c *Cleaner) step(ctx context.Context, f func(context.Context) error) error {
	if mine, err := c.tasks.AcquireRole(ctx, tasks.Retention, c.id, roleTTL); err != nil || !mine {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return f(ctx)
}

func (c *Cleaner) prepare(ctx context.Context) error {
	made, err := c.events.Partitions().Prepare(ctx, c.opt.Period)
	c.report("made partitions of events", "partitions", int64(made))
	return err
}

// deleteFile deletes a file and then records the deletion. If the process crashes before it has
// recorded the deletion, the next run deletes the file again. A missing file is not an error.
func (c *Cleaner) deleteFile(ctx context.Context, f tasks.ExpiredFile) error {
	if err := c.files.Delete(ctx, f.FileID); err != nil && !errors.Is(err, blobs.ErrNotFound) {
		return err
	}
	return c.tasks.MarkFileDeleted(ctx, f)
}
