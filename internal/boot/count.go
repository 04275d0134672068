package boot

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/web"
)

// ran counts, logs and traces a handler's run that has ended.
func (a *app) ran(ctx context.Context, r middleware.FinishedRun) {
	a.metrics.Ran(metrics.Run{Kind: r.Call.Kind, Outcome: r.Outcome, Code: r.Code, Wait: r.Wait, Took: r.Took})
	a.logRan(ctx, r)
	a.traceRan(ctx, r)
}

// fed counts and traces a push of jobs to a queue.
func (a *app) fed(f feed.Pushed) {
	n := 0
	for _, jobs := range f.Jobs {
		n += jobs
	}
	a.metrics.Fed(f.Kind, n, f.Took)
	a.traceFed(f)
}

// attempted counts and traces an attempt to deliver a notification.
func (a *app) attempted(r notify.AttemptReport) {
	a.metrics.CountDelivery(string(r.Claim.Channel), r.State, r.Took)
	a.traceAttempt(r)
}

// served counts a request, and traces it if it has created a task.
func (a *app) served(_ context.Context, r web.Served) {
	a.metrics.Served(r.Method, r.Route, r.Status, r.Took)
	a.traceServed(r)
}
