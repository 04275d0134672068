package boot

import (
	"context"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/web"
)

// ran counts a run of a handler, and logs it.
func (a *app) ran(ctx context.Context, r middleware.Ran) {
	a.logRan(ctx, r)
	a.metrics.Ran(metrics.Run{Kind: r.Call.Kind, Outcome: r.Outcome, Code: r.Code, Wait: r.Wait, Took: r.Took})
}

// fed counts a push to the queue.
func (a *app) fed(f dispatch.Fed) {
	n := 0
	for _, jobs := range f.Jobs {
		n += jobs
	}
	a.metrics.Fed(f.Kind, n, f.Took)
}

// told counts a try to tell a listener.
func (a *app) told(t dispatch.Told) { a.metrics.Told(string(t.Parcel.Lane), t.State, t.Took) }

// served counts a request.
func (a *app) served(_ context.Context, r web.Served) {
	a.metrics.Served(r.Method, r.Route, r.Status, r.Took)
}
