package middleware

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/queue"
)

// takePermit takes a permit for a job of a kind with limits, and reports whether the job may run. If a
// limit is reached, or Redis does not answer, it puts the job back into the queue and returns false.
// Later jobs of the key then wait, too. For a kind without limits it returns true.
func (t *tracker) takePermit(ctx context.Context, x *run) bool {
	if len(t.kind.Limits) == 0 {
		return true
	}
	limits := t.kind.LimitsOf(x.call.Tenant, t.countedParams(x))
	permit, until, err := t.rec.opt.Permits.Take(ctx, t.kind.Name, x.delivery.Key, limits...)
	switch {
	case permit != nil:
		x.permit = permit
		return true
	case err != nil:
		t.rec.opt.Log.DebugContext(ctx, "no permit", "queue", t.kind.Name, "err", err)
		until = t.rec.opt.Now().Add(unsurePause)
	default:
		t.rec.opt.OnRefused(t.kind.Name)
	}
	x.delivery.Resolve(queue.Outcome{Kind: queue.Return, At: until, Unstarted: true})
	return false
}

// countedParams returns the params by which limits count the job. For a kind with the option
// Latest, these are the params of the newest job of the call, since the handler gets only that job.
// If that job is unreadable, they are the params of the job itself.
func (t *tracker) countedParams(x *run) json.RawMessage {
	if x.newest != nil {
		if newest, _ := t.parse(x.newest); newest != nil {
			return newest.call.Params
		}
	}
	return x.call.Params
}

// givePermits gives the permits of runs back.
func givePermits(ctx context.Context, xs []*run) {
	for _, x := range xs {
		x.permit.Give(ctx)
	}
}
