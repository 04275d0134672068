package boot

import (
	"context"
	"log/slog"

	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/worker"
)

// aboutJob are the facts that each line about a job has.
func aboutJob(c *worker.Call) []slog.Attr {
	return []slog.Attr{
		slog.String("queue", c.Kind), slog.String("task", c.TaskID), slog.String("job", c.ID),
		slog.String("key", c.Key), slog.Int("attempt", c.Attempt),
	}
}

// logRan tells of a run that has ended: of faults as warnings, of all others for who
// debugs. What a handler noted is kept with its row, not here.
func (a *app) logRan(ctx context.Context, r middleware.Ran) {
	level, text := slog.LevelDebug, "job done"
	switch {
	case r.Call.TaskID == "": // untracked: middleware tells what nobody else will
		return
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
