package explain

import (
	"context"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// unfed adds the reasons why a waiting row is not in Redis yet.
func (x *explainer) unfed(ctx context.Context) error {
	states, err := x.s.Events.States(ctx, []events.ID{x.e.ID})
	if err != nil {
		return err
	}
	own, err := x.feed(ctx)
	if err != nil || own == nil { // the reason is already reported, or the task has ended
		return err
	}
	if x.e.ID.Seq() <= own.Fed && own.HeldRows > 0 {
		if found, err := x.held(ctx, own); found || err != nil {
			return err
		}
	}
	if !states[x.e.ID].Back && !own.NeedsRepush() && x.e.ID.Seq() <= own.Fed {
		x.add("LOST")
		return nil
	}
	return x.notFed(ctx, own, states[x.e.ID].Back)
}

// feed returns the feed of the task; nil if the task must not start yet, or is done.
func (x *explainer) feed(ctx context.Context) (*lanes.Feed, error) {
	if x.t.Hold != tasks.HoldNone || x.t.Awaits > 0 || x.t.RunAt > x.now.UnixMilli() {
		return nil, nil
	}
	return lanes.New(x.s.Tasks).FeedOf(ctx, x.t.Num)
}

// notFed adds the reasons why the feeder has not reached the row. The argument `back` is true for a row
// that was resubmitted and waits to be fed.
func (x *explainer) notFed(ctx context.Context, own *lanes.Feed, back bool) error {
	before, err := lanes.New(x.s.Tasks).Ahead(ctx, *own)
	if err != nil {
		return err
	}
	if err := x.addTenantReason(ctx, own); err != nil {
		return err
	}
	if err := x.fullKeys(ctx, own); err != nil {
		return err
	}
	if !back {
		before += max(x.e.ID.Seq()-own.Fed-1, 0)
	}
	if err := x.ahead(ctx, own, before); err != nil || own.TenantPaused || own.Closed {
		return err
	}
	return x.otherTenants(ctx)
}

// fullKeys adds a reason if some keys of the lane have held rows. The reason names at most three of these
// keys.
func (x *explainer) fullKeys(ctx context.Context, own *lanes.Feed) error {
	keys, err := lanes.New(x.s.Tasks).HeldPage(ctx, own.Lane, "", 4)
	if err != nil || len(keys) == 0 {
		return err
	}
	if len(keys) == 4 {
		keys[3] = "…"
	}
	x.add("KEYS_FILL_WINDOW", "keys", strings.Join(keys, ", "))
	return nil
}

// held reports whether the feeder has passed the row without a push, and if so, adds the reasons. The
// feeder passes a row if Redis has enough rows of its key, or if the key waits for a start time. If the
// row is the first of its key and waits for its start time, that reason is already reported.
func (x *explainer) held(ctx context.Context, own *lanes.Feed) (bool, error) {
	groups, err := lanes.New(x.s.Tasks).Groups(ctx, own.Lane, []string{feed.HeldKey(x.e, x.t.ID)})
	if err != nil {
		return false, err
	}
	before := int64(0)
	for _, group := range groups {
		at := slices.Index(group.Seqs, x.e.ID.Seq())
		if group.Num == x.t.Num && at >= 0 {
			before += x.ofKey + int64(at)
			if err := x.addTenantReason(ctx, own); err != nil {
				return false, err
			}
			if before == 0 && x.early() { // explainer.addTaskReason has added the reason
				return true, nil
			}
			r := x.add("BEHIND_ROW", "key", x.e.Key, "n", before)
			r.Place, r.At = &before, x.retryAt
			return true, nil
		}
		before += int64(len(group.Seqs))
	}
	return false, nil
}

// early reports whether the row has a start time of its own that is in the future.
func (x *explainer) early() bool {
	return feed.Delayed(x.e) && *x.e.NextRunAt > x.now.UnixMilli()
}

// ended adds the reason why an ended row has its status.
func (x *explainer) ended(ctx context.Context) error {
	e := x.e
	code := textutil.Deref(e.Code)
	var r *view.Reason
	switch {
	case code == events.CodeSuperseded && (e.Status == events.Finish || e.State() == events.Superseded):
		r = x.add("SUPERSEDED")
	case e.Status == events.Finish:
		r = x.add("FINISHED")
	case e.Status == events.Canceled:
		r = x.add("CANCELED")
	case code == "DUPLICATE_KEY":
		r = x.add("DUPLICATE", "key", e.Key)
	case e.Status == events.Failed:
		r = x.add("FAILED", "code", code, "why", textutil.Deref(e.Message))
	default:
		r = x.add("GIVEN_UP", "code", code, "why", x.in.Sentences(textutil.Deref(e.Message), x.fault), "n", e.Attempt)
	}
	r.At = view.InstantOf(e.FinishedAt)
	if hint := textutil.Deref(e.Hint); hint != "" {
		r.Hint = &hint
	}
	switch e.State() {
	case events.Skipped:
		x.add("SKIPPED")
	case events.Accepted:
		x.add("ACCEPTED", "by", textutil.Deref(e.ResolvedBy), "why", textutil.Deref(e.ResolutionNote)).At = view.InstantOf(e.ResolvedAt)
	}
	if e.Status == events.Error {
		x.morgue(ctx)
	}
	return nil
}

// morgue adds a reason if the job of a row in status error is in the morgue, or if Redis does not answer.
func (x *explainer) morgue(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, x.s.Timeout)
	defer cancel()
	key := x.e.Key
	if key == "" {
		key = x.e.ID.JobID(x.t.ID)
	}
	places, err := x.s.Queue.Admin().Locate(ctx, x.t.Kind, queue.Ref{
		Key: x.t.Tenant + "/" + key, Score: float64(x.e.ID), Head: payloadHead(x.e.ID),
	})
	switch {
	case err != nil:
		x.s.Log.WarnContext(ctx, "explain: the queue of a row could not be read", "err", err)
		x.add("QUEUE_AWAY")
	case places[0].Dead > 0:
		x.add("IN_MORGUE")
	}
}
