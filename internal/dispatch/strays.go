package dispatch

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// strayPage is how many events are looked up in Redis at once.
const strayPage = 200

// headSize is how many bytes of a payload tell its event from others.
const headSize = 16

// seeker compares what was fed with what Redis holds.
//
// A job is pushed before that is noted, and leaves Redis after its outcome is
// committed. So an event that was fed, is not held, is not at rest, and is then found
// nowhere in Redis is lost if the ledger, asked again, says the same, and Redis was not
// wiped meanwhile. No lock is needed, however busy the system.
type seeker struct {
	tasks  *tasks.Store
	events *events.Store
	client *queue.Client
}

// stray is an event that was fed, is not at rest, and is not where it runs.
type stray struct {
	event  events.Event
	mark   string // of the Redis that was looked through
	buried bool   // it is in the morgue; else it is nowhere
}

func (s stray) String() string {
	if s.buried {
		return fmt.Sprintf("row %d is %s, and in the morgue", s.event.Row, s.event.Status)
	}
	return fmt.Sprintf("row %d is %s, and nowhere in Redis", s.event.Row, s.event.Status)
}

// ours tells the mark of Redis if it is the one that was fed.
func (s seeker) ours(ctx context.Context) (mark string, ok bool, err error) {
	got, err := s.client.Mark(ctx)
	if err != nil {
		return "", false, err
	}
	self, err := s.client.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	want, err := s.tasks.Marks(ctx)
	return want.Redis, err == nil && want.Redis != "" && got == want.Redis+"@"+self, err
}

// strays hands over the strays of a task. mark is that of Redis, found to be
// ours before the feed was read. It ends early, without an error, when that is
// no longer so: then all is fed again anyway.
func (s seeker) strays(ctx context.Context, mark string, feed tasks.Feed, see func(stray) error) error {
	if feed.Again() || feed.Status == tasks.Canceling {
		return nil
	}
	f := events.Filter{
		Statuses: []events.Status{events.Enqueue, events.Working}, UpTo: feed.Fed, Limit: strayPage,
	}
	for f.After < feed.Fed {
		page, err := s.events.List(ctx, feed.Num, f)
		if err != nil || len(page) == 0 {
			return err
		}
		f.After = page[len(page)-1].ID.Seq()
		list, err := s.missing(ctx, feed, page)
		if err != nil {
			return err
		}
		if now, ours, err := s.ours(ctx); err != nil || !ours || now != mark {
			return err
		}
		for _, one := range list {
			one.mark = mark
			if err := see(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// missing returns those of a page that Redis does not hold, and that are where
// they were when the ledger is asked again.
func (s seeker) missing(ctx context.Context, feed tasks.Feed, page []events.Event) ([]stray, error) {
	page, err := s.unheld(ctx, feed, page)
	if err != nil || len(page) == 0 {
		return nil, err
	}
	refs := make([]queue.Ref, len(page))
	for i := range page {
		refs[i] = refOf(feed, &page[i])
	}
	places, err := s.client.Admin().Locate(ctx, feed.Kind, refs...)
	if err != nil {
		return nil, err
	}
	var out []stray
	var ids []events.ID
	for i, p := range places {
		if p.Waiting+p.Busy == 0 {
			out = append(out, stray{event: page[i], buried: p.Dead > 0})
			ids = append(ids, page[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	states, err := s.events.States(ctx, ids)
	if err != nil {
		return nil, err
	}
	still := out[:0]
	for _, one := range out {
		now := states[one.event.ID]
		if now.Status == one.event.Status && now.Attempt == one.event.Attempt && !now.Back {
			still = append(still, one)
		}
	}
	return still, nil
}

// unheld returns those of a page of a task that are not held. A row is pushed before it is
// no longer held, so one that is not held was pushed.
func (s seeker) unheld(ctx context.Context, feed tasks.Feed, page []events.Event) ([]events.Event, error) {
	var keys []string
	for i := range page {
		if key := page[i].Key; key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || len(page) == 0 {
		return page, nil
	}
	runs, err := s.tasks.RunsWithin(ctx, feed, keys, page[0].ID.Seq(), page[len(page)-1].ID.Seq())
	if err != nil || len(runs) == 0 {
		return page, err
	}
	held := idsOf(runs)
	return slices.DeleteFunc(page, func(e events.Event) bool { return held[e.ID] }), nil
}

func refOf(feed tasks.Feed, e *events.Event) queue.Ref {
	return queue.Ref{
		Key:   queueKey(feed.Tenant, e.Key, e.ID, feed.TaskID),
		Score: float64(e.ID), Head: fmt.Sprintf("%016x", int64(e.ID)),
	}
}

// mendStray pushes a stray that Redis does not have, and records one in the morgue as an error.
// The ledger notes first that the job comes late: newer rows of its key may have finished, and
// then it does not run. mendStray reports whether it did anything: a row that has ended, or
// that feeders push again under a newer mark, is no stray.
func (s seeker) mendStray(ctx context.Context, feed tasks.Feed, one stray, now time.Time) (mended bool, err error) {
	e := &one.event
	if one.buried {
		made, err := s.events.Record(ctx, []events.Move{buried(e, now)})
		return err == nil && made[0], err
	}
	noted, err := s.events.NoteStray(ctx, e.ID, one.mark)
	if err != nil || !noted {
		return false, err
	}
	job := jobOf(feed, askFirst(one.mark), e)
	job.Redelivered = true
	return true, s.client.Push(ctx, job)
}

// buried is the move of an event whose job is in the morgue: the process died
// before it told the ledger, or an operator has sent it there.
func buried(e *events.Event, now time.Time) events.Move {
	return events.Move{
		ID: e.ID, Row: e.Row, From: e.Status, FromAttempt: e.Attempt,
		To: events.Error, Attempt: max(e.Attempt, 1), FinishedAt: now.UnixMilli(),
		Failure: worker.SystemFailure(worker.CodeCrashed, "given_up", ""),
		Notes: []events.Note{{
			At: now.UnixMilli(), Attempt: e.Attempt, Status: events.Error,
			Text: "found in the morgue, which the ledger had not been told of",
		}},
	}
}
