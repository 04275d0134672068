package reconcile

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// queue checks all payloads of a queue, one page at a time.
func (v *Verifier) queue(ctx context.Context, mark, name string) error {
	page := make([]queue.Held, 0, eventsPage)
	for h, err := range v.client.Admin().Held(ctx, name) {
		if err != nil {
			return err
		}
		v.out.Jobs++
		if page = append(page, h); len(page) < eventsPage {
			continue
		}
		if err := v.held(ctx, mark, name, page); err != nil {
			return err
		}
		page = page[:0]
		v.opt.OnProgress(v.out)
	}
	return v.held(ctx, mark, name, page)
}

// unexpectedJob is a payload that should not be in Redis in its present form.
type unexpectedJob struct {
	queue.Held
	jobs.Envelope
}

// held finds payloads that would run without a check in the ledger, although their rows have ended
// or do not exist. Payloads marked as redelivered, and payloads with another mark, are checked
// before they run and do no harm.
func (v *Verifier) held(ctx context.Context, mark, name string, page []queue.Held) error {
	ghosts, ids := []unexpectedJob{}, []events.ID{}
	for _, h := range page {
		env, err := jobs.Unpack(h.Payload)
		if err != nil || v.opt.Task != "" && env.TaskID != v.opt.Task {
			continue // not a job of Rollcall: the tracker moves it to the morgue
		}
		ghosts, ids = append(ghosts, unexpectedJob{h, env}), append(ids, env.Event)
	}
	if len(ids) == 0 {
		return nil
	}
	states, err := v.events.States(ctx, ids)
	if err != nil {
		return err
	}
	refs := make([]queue.Ref, len(ghosts))
	for i, g := range ghosts {
		refs[i] = queue.Ref{Key: g.Key, Score: g.Score, Head: string(g.Payload[:headSize])}
	}
	places, err := v.client.Admin().Locate(ctx, name, refs...)
	if err != nil {
		return err
	}
	for i, g := range ghosts {
		what := g.reason(places[i], states[g.Event], mark)
		if what == "" {
			continue
		}
		if err := v.unexpected(ctx, name, g, what); err != nil {
			return err
		}
	}
	return nil
}

// reason describes the difference of a payload, or returns "". A payload in flight is about to be
// acknowledged and is no difference.
func (g unexpectedJob) reason(p queue.Place, state events.State, mark string) string {
	switch {
	case p.Waiting == 0 || p.Redelivered || g.Busy || !g.under(mark):
		return ""
	case state.ID == 0 || state.TaskID != g.TaskID:
		return fmt.Sprintf("row %d waits in Redis, and the ledger does not know it", g.Row)
	case state.Status == events.Canceled: // revoked by a new mark
		return ""
	case state.Status.Rest():
		return fmt.Sprintf("row %d is %s, and waits in Redis", g.Row, state.Status)
	case p.Waiting+p.Busy > 1:
		return fmt.Sprintf("row %d is in Redis %d times", g.Row, p.Waiting+p.Busy)
	}
	return ""
}

// under reports whether a payload was pushed to the Redis in use. The mark of a payload may have a
// suffix after a dot that the mark of Redis lacks.
func (g unexpectedJob) under(mark string) bool {
	head, _, _ := strings.Cut(g.Mark, ".")
	return head == mark
}

// unexpected marks a payload, so that a worker checks it in the ledger and drops it.
func (v *Verifier) unexpected(ctx context.Context, name string, g unexpectedJob, what string) error {
	done := ""
	if _, known := v.kinds.Kind(name); v.opt.Repair && known {
		err := v.client.Push(ctx, queue.Job{
			Queue: name, Key: g.Key, Payload: g.Payload, Score: g.Score, Redelivered: true,
		})
		if err != nil {
			return err
		}
		done = "marked: it asks the ledger before it runs"
	}
	v.report(cmp.Or(g.TaskID, name), what, done)
	return nil
}
