package middleware

import (
	"context"
	"log/slog"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// untracked parses the delivery of an untracked job. The payload is the params of the job. The key is
// "<tenant>/<key of the job>". A key without a slash has no tenant.
func (t *tracker) untracked(d *queue.Delivery) *run {
	tenant, key, ok := strings.Cut(d.Key, "/")
	if !ok {
		tenant, key = "", d.Key
	}
	return &run{
		delivery: d, attempt: d.RetryCount + 1,
		call: &jobs.Call{
			Kind: t.kind.Name, Tenant: tenant, Key: key, Attempt: d.RetryCount + 2,
			Params: d.Payload, Token: d.Token, Seq: d.Seq, Service: t.rec.opt.Client,
		},
	}
}

// logOutcomes logs the business failures and system faults of untracked jobs, which have no event.
func (t *tracker) logOutcomes(ctx context.Context, xs []*run) {
	for _, x := range xs {
		attrs := []slog.Attr{
			slog.String("queue", t.kind.Name), slog.String("job", x.delivery.Key),
			slog.Int("attempt", x.call.Attempt), slog.Duration("took", x.took),
		}
		switch v := x.outcome; {
		case v.Kind == jobs.Failed:
			attrs = append(attrs, slog.String("err", v.Failure.Code+": "+v.Failure.Message))
			t.rec.opt.Log.LogAttrs(ctx, slog.LevelWarn, "job failed", attrs...)
		case v.Err != nil:
			attrs = append(attrs, slog.String("err", x.text), slog.String("state", x.next.Kind.String()))
			level, text := slog.LevelWarn, "job in error"
			if x.next.Kind == queue.Retry {
				level, text = slog.LevelInfo, "job will be retried"
			}
			t.rec.opt.Log.LogAttrs(ctx, level, text, attrs...)
		}
	}
}
