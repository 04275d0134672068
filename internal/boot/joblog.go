package boot

import (
	"context"
	"log/slog"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
)

// aboutJob returns the attributes of log records about a job.
func aboutJob(c *jobs.Call) []slog.Attr {
	return []slog.Attr{
		slog.String("queue", c.Kind), slog.String("task", c.TaskID), slog.String("job", c.ID),
		slog.String("key", c.Key), slog.Int("attempt", c.Attempt),
	}
}

// logRan logs a run of a job that has a task. The level is warning for an error or a lost lease, info for a
// run that will be retried, and debug for other runs. logRan does not log the notes of the handler: they
// are stored with the row.
func (a *app) logRan(ctx context.Context, r middleware.FinishedRun) {
	level, text := slog.LevelDebug, "job done"
	switch {
	case r.Call.TaskID == "": // untracked: package middleware logs the run
		return
	case r.Outcome == "retry":
		level, text = slog.LevelInfo, "job will be retried"
	case r.Fault != "":
		level, text = slog.LevelWarn, "job in error"
	case r.Outcome == "lost":
		level, text = slog.LevelWarn, "job lost its lease"
	}
	if !a.log.Enabled(ctx, level) {
		return
	}
	attrs := append(aboutJob(r.Call), slog.Duration("took", r.Took), slog.String("state", r.Outcome))
	if r.Code != "" {
		attrs = append(attrs, slog.String("code", r.Code))
	}
	if r.Fault != "" {
		attrs = append(attrs, slog.String("err", r.Fault))
	}
	a.log.LogAttrs(ctx, level, text, attrs...)
}
