package middleware

import (
	"context"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// once keeps one of the copies of each job among deliveries of one key, and has the
// queue forget the others: such as one that was brought back from the morgue beside
// the one that was fed when its row was resubmitted. Each would ask the ledger before
// the outcome of the other is there. Copies stand side by side, for the score of a job
// is that of its row. A copy of a Redis of before is dropped later, and never stands
// for another.
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

// counts tells that a job was pushed to the Redis in use, as far as is known.
func (t *tracker) counts(ctx context.Context, d *queue.Delivery) bool {
	env, err := worker.Unpack(d.Payload)
	if err != nil {
		return false
	}
	_, gone, err := t.rec.opt.Standing(ctx, env.Tenant, env.Mark)
	return err == nil && !gone
}

// sameJob compares the ids that payloads begin with before it looks for the task.
func sameJob(a, b []byte) bool {
	x, err := worker.Unpack(a)
	if err != nil {
		return false
	}
	y, err := worker.Unpack(b)
	return err == nil && x.Event == y.Event && x.TaskID == y.TaskID
}
