package boot

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/web"
)

// onRun counts, logs and traces a handler's run that has ended.
func (a *app) onRun(ctx context.Context, r middleware.FinishedRun) {
	a.metrics.Ran(metrics.Run{Kind: r.Call.Kind, Outcome: r.Outcome, Code: r.Code, Wait: r.Wait, Took: r.Took})
	a.logRan(ctx, r)
	a.traceRan(ctx, r)
}

// onPush counts and traces a push of jobs to a queue.
func (a *app) onPush(f feed.Pushed) {
	n := 0
	for _, jobs := range f.Jobs {
		n += jobs
	}
	a.metrics.Fed(f.Kind, n, f.Took)
	a.traceFed(f)
}

// onAttempt counts and traces an attempt to deliver a notification.
func (a *app) onAttempt(r notify.AttemptReport) {
	a.metrics.CountDelivery(string(r.Claim.Channel), r.State, r.Took)
	a.traceAttempt(r)
}

// onRequest counts a request, and traces it if it has created a task.
func (a *app) onRequest(_ context.Context, r web.Served) {
	a.metrics.Served(r.Method, r.Route, r.Status, r.Took)
	a.traceServed(r)
}
