package boot

import (
	"context"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/middleware"
)

// leastStuckPause and mostStuckPause limit the interval at which watchStuck searches for long runs.
const (
	leastStuckPause = 100 * time.Millisecond
	mostStuckPause  = 15 * time.Second
)

// watchStuck logs each run of a handler that takes longer than the setting StuckAfter. It logs each run
// once, until `ctx` ends. If StuckAfter is 0, it returns at once.
func (a *app) watchStuck(ctx context.Context, rec *middleware.Recorder) {
	if a.cfg.StuckAfter == 0 {
		return
	}
	logged := map[middleware.ActiveRun]bool{}
	every := min(mostStuckPause, max(leastStuckPause, a.cfg.StuckAfter/10))
	periodic.Loop{Every: every}.Run(ctx, func(ctx context.Context) error {
		now := map[middleware.ActiveRun]bool{}
		for _, r := range rec.Running(a.cfg.StuckAfter) {
			if now[r] = true; !logged[r] {
				a.log.LogAttrs(ctx, slog.LevelWarn, "job runs longer than STUCK_AFTER: send SIGUSR1 to log its stack",
					append(aboutJob(r.Call), slog.Duration("took", a.db.Now().Sub(r.Began)))...)
			}
		}
		logged = now
		return nil
	})
}

// stuck returns the number of current runs that have taken longer than StuckAfter, by kind. All numbers are
// 0 if StuckAfter is 0.
func (a *app) stuck(rec *middleware.Recorder) map[string]int {
	out := map[string]int{}
	for _, name := range a.kinds.Names() {
		out[name] = 0
	}
	if a.cfg.StuckAfter == 0 {
		return out
	}
	for _, r := range rec.Running(a.cfg.StuckAfter) {
		out[r.Call.Kind]++
	}
	return out
}
