package middleware

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// once keeps one copy of each job among deliveries of one key, and makes the queue remove the others.
// For example, a job was requeued from the morgue while its resubmitted row was also pushed. Otherwise
// each copy would be checked in the ledger before the other copy has an outcome. Copies are adjacent,
// since the score of a job is the score of its row. A copy from an earlier Redis is dropped later, and
// never replaces another.
func (t *tracker) once(ctx context.Context, list []*queue.Delivery) []*queue.Delivery {
	if len(list) == 1 {
		return list
	}
	out := make([]*queue.Delivery, 0, len(list))
	for i, d := range list {
		if i > 0 && sameJob(list[i-1].Payload, d.Payload) && t.counts(ctx, out[len(out)-1]) {
			d.Resolve(queue.Outcome{Kind: queue.Done})
			continue
		}
		out = append(out, d)
	}
	return out
}

// counts reports whether a job was pushed to the current Redis. If this is unknown, it returns false.
func (t *tracker) counts(ctx context.Context, d *queue.Delivery) bool {
	env, err := jobs.Unpack(d.Payload)
	if err != nil {
		return false
	}
	_, gone, err := t.rec.opt.CheckGeneration(ctx, env.Tenant, env.Mark)
	return err == nil && !gone
}

// sameJob reports whether two payloads hold the same job.
func sameJob(a, b []byte) bool {
	x, err := jobs.Unpack(a)
	if err != nil {
		return false
	}
	y, err := jobs.Unpack(b)
	return err == nil && x.Event == y.Event && x.TaskID == y.TaskID
}
