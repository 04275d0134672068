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

// checkQueue checks all payloads of a queue, one page at a time.
func (v *Verifier) checkQueue(ctx context.Context, mark, name string) error {
	page := make([]queue.Held, 0, eventsPage)
	for h, err := range v.client.Admin().Held(ctx, name) {
		if err != nil {
			return err
		}
		v.out.Jobs++
		if page = append(page, h); len(page) < eventsPage {
			continue
		}
		if err := v.checkPayloads(ctx, mark, name, page); err != nil {
			return err
		}
		page = page[:0]
		v.opt.OnProgress(v.out)
	}
	return v.checkPayloads(ctx, mark, name, page)
}

// unexpectedJob is a payload in Redis that may belong to no row, or to a row at rest.
type unexpectedJob struct {
	queue.Held
	jobs.Envelope
}

// checkPayloads finds payloads that would run without a check in the ledger, although their rows have ended
// or do not exist. It also finds rows that are in Redis more than once. It leaves out redelivered payloads,
// and payloads with another generation mark, because workers check these in the ledger before they run them.
func (v *Verifier) checkPayloads(ctx context.Context, mark, name string, page []queue.Held) error {
	found, ids := []unexpectedJob{}, []events.ID{}
	for _, h := range page {
		env, err := jobs.Unpack(h.Payload)
		if err != nil || v.opt.Task != "" && env.TaskID != v.opt.Task {
			continue // a job of another task, or an invalid payload, which a worker moves to the morgue
		}
		found, ids = append(found, unexpectedJob{h, env}), append(ids, env.Event)
	}
	if len(ids) == 0 {
		return nil
	}
	states, err := v.events.States(ctx, ids)
	if err != nil {
		return err
	}
	refs := make([]queue.Ref, len(found))
	for i, g := range found {
		refs[i] = queue.Ref{Key: g.Key, Score: g.Score, Head: string(g.Payload[:headSize])}
	}
	places, err := v.client.Admin().Locate(ctx, name, refs...)
	if err != nil {
		return err
	}
	for i, g := range found {
		what := g.reason(places[i], states[g.Event], mark)
		if what == "" {
			continue
		}
		if err := v.reportUnexpected(ctx, name, g, what); err != nil {
			return err
		}
	}
	return nil
}

// reason returns a text that describes the fault of a payload, or "" if the payload has none. It also
// returns "" for a payload that a worker has fetched or will check in the ledger before the run.
func (g unexpectedJob) reason(p queue.Place, state events.State, mark string) string {
	switch {
	case p.Waiting == 0 || p.Redelivered || g.Busy || !g.under(mark):
		return ""
	case state.ID == 0 || state.TaskID != g.TaskID:
		return fmt.Sprintf("row %d waits in Redis, but the ledger has no such row", g.Row)
	case state.Status == events.Canceled: // workers drop it, because its mark is old
		return ""
	case state.Status.AtRest():
		return fmt.Sprintf("row %d has the status %s, but waits in Redis", g.Row, state.Status)
	case p.Waiting+p.Busy > 1:
		return fmt.Sprintf("row %d is in Redis %d times", g.Row, p.Waiting+p.Busy)
	}
	return ""
}

// under reports whether a payload was pushed under the generation mark `mark`. The mark of a payload may
// have a suffix after a dot, such as the cancel epoch of its tenant.
func (g unexpectedJob) under(mark string) bool {
	head, _, _ := strings.Cut(g.Mark, ".")
	return head == mark
}

// reportUnexpected reports a difference. With VerifyOptions.Repair and a registered kind, it also marks
// the payload as redelivered. A worker then reads the row, and drops the job if the row has ended or
// does not exist.
func (v *Verifier) reportUnexpected(ctx context.Context, name string, g unexpectedJob, what string) error {
	done := ""
	if _, known := v.kinds.Kind(name); v.opt.Repair && known {
		err := v.client.Push(ctx, queue.Job{
			Queue: name, Key: g.Key, Payload: g.Payload, Score: g.Score, Redelivered: true,
		})
		if err != nil {
			return err
		}
		done = "marked: the worker checks the ledger before it runs the job"
	}
	v.report(cmp.Or(g.TaskID, name), what, done)
	return nil
}
