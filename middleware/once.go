package middleware

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// dedupe removes extra copies of jobs from the deliveries of one key, and makes the queue remove them,
// too. For example, a job has two copies if an operator requeues it from the morgue while a user
// resubmits its row. Copies are adjacent, since they have the same score. A copy with an earlier
// generation mark does not replace another copy. The recorder later drops the copy with the earlier
// mark.
func (t *tracker) dedupe(ctx context.Context, list []*queue.Delivery) []*queue.Delivery {
	if len(list) == 1 {
		return list
	}
	out := make([]*queue.Delivery, 0, len(list))
	for i, d := range list {
		if i > 0 && sameJob(list[i-1].Payload, d.Payload) && t.isCurrent(ctx, out[len(out)-1]) {
			d.Resolve(queue.Outcome{Kind: queue.Done})
			continue
		}
		out = append(out, d)
	}
	return out
}

// isCurrent reports whether a job was pushed under the current generation mark. It returns false for an
// unreadable job, and after an error of CheckGeneration.
func (t *tracker) isCurrent(ctx context.Context, d *queue.Delivery) bool {
	env, err := jobs.Unpack(d.Payload)
	if err != nil {
		return false
	}
	_, gone, err := t.rec.opt.CheckGeneration(ctx, env.Tenant, env.Mark)
	return err == nil && !gone
}

// sameJob reports whether two payloads are copies of the same job.
func sameJob(a, b []byte) bool {
	x, err := jobs.Unpack(a)
	if err != nil {
		return false
	}
	y, err := jobs.Unpack(b)
	return err == nil && x.Event == y.Event && x.TaskID == y.TaskID
}
