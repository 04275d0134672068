package reconcile

import (
	"context"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// eventsPage is how many events are searched in Redis at once.
const eventsPage = 200

// headSize is the number of bytes at the start of a payload that identify its event.
const headSize = 16

// finder is a comparison of the pushed rows with the jobs in Redis.
//
// A feeder pushes a job before it records the push, and Redis removes a job after its outcome is committed. A
// job is therefore lost if its event was pushed, has not ended and is not held, and Redis does not have the
// job. The finder reads such an event a second time, and leaves it out if it has changed. It ends if Redis
// was emptied meanwhile. So it needs no lock.
type finder struct {
	tasks  *tasks.Store
	lanes  *lanes.Store
	events *events.Store
	counts *recount.Store
	client *queue.Client
}

func newFinder(ts *tasks.Store, es *events.Store, c *queue.Client) finder {
	return finder{ts, lanes.New(ts), es, recount.New(es), c}
}

// lostJob is an event that was pushed and has not ended, and whose job neither waits nor runs in Redis.
type lostJob struct {
	event events.Event
	mark  string // mark of the searched Redis
	dead  bool   // the job is in the morgue; else Redis does not have it
}

func (s lostJob) String() string {
	if s.dead {
		return fmt.Sprintf("row %d has the status %s, but its job is in the morgue", s.event.Row, s.event.Status)
	}
	return fmt.Sprintf("row %d has the status %s, but Redis lacks its job", s.event.Row, s.event.Status)
}

// ours returns the generation mark in the ledger. The result `ok` reports whether Redis has this mark and
// was not restarted.
func (s finder) ours(ctx context.Context) (mark string, ok bool, err error) {
	got, err := s.client.Generation(ctx)
	if err != nil {
		return "", false, err
	}
	self, err := s.client.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	want, err := s.lanes.Generations(ctx)
	return want.Redis, err == nil && want.Redis != "" && got == want.Redis+"@"+self, err
}

// eachLostJob calls the function `see` with each lost job of a task. The argument `mark` is the generation
// mark of Redis before the feed was read. If the mark changes, eachLostJob ends early without an error,
// since feeders then push all rows again. It skips a task that is being canceled or pushed again.
func (s finder) eachLostJob(ctx context.Context, mark string, task lanes.Feed, see func(lostJob) error) error {
	if task.NeedsRepush() || task.Status == tasks.Canceling {
		return nil
	}
	f := events.Filter{
		Statuses: []events.Status{events.Enqueue, events.Working}, UpTo: task.Fed, Limit: eventsPage,
	}
	for f.After < task.Fed {
		page, err := s.events.List(ctx, task.Num, f)
		if err != nil || len(page) == 0 {
			return err
		}
		f.After = page[len(page)-1].ID.Seq()
		list, err := s.missing(ctx, task, page)
		if err != nil {
			return err
		}
		if now, ours, err := s.ours(ctx); err != nil || !ours || now != mark {
			return err
		}
		for _, lost := range list {
			lost.mark = mark
			if err := see(lost); err != nil {
				return err
			}
		}
	}
	return nil
}

// missing returns the events of a page whose jobs neither wait nor run in Redis. It leaves out held events,
// and events that have changed when it reads the ledger a second time.
func (s finder) missing(ctx context.Context, task lanes.Feed, page []events.Event) ([]lostJob, error) {
	page, err := s.unheld(ctx, task, page)
	if err != nil || len(page) == 0 {
		return nil, err
	}
	refs := make([]queue.Ref, len(page))
	for i := range page {
		refs[i] = refOf(task, &page[i])
	}
	places, err := s.client.Admin().Locate(ctx, task.Kind, refs...)
	if err != nil {
		return nil, err
	}
	var out []lostJob
	var ids []events.ID
	for i, p := range places {
		if p.Waiting+p.Busy == 0 {
			out = append(out, lostJob{event: page[i], dead: p.Dead > 0})
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
	for _, lost := range out {
		now := states[lost.event.ID]
		if now.Status == lost.event.Status && now.Attempt == lost.event.Attempt && !now.Back {
			still = append(still, lost)
		}
	}
	return still, nil
}

// unheld returns the events of a page that are not held. A feeder pushes a held row before it
// records that the row is no longer held, so a row that is not held was pushed.
func (s finder) unheld(ctx context.Context, task lanes.Feed, page []events.Event) ([]events.Event, error) {
	var keys []string
	for i := range page {
		if key := feed.HeldKey(&page[i], task.TaskID); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || len(page) == 0 {
		return page, nil
	}
	groups, err := s.lanes.GroupsWithin(ctx, task, keys, page[0].ID.Seq(), page[len(page)-1].ID.Seq())
	if err != nil || len(groups) == 0 {
		return page, err
	}
	held := feed.RowIDs(groups)
	return slices.DeleteFunc(page, func(e events.Event) bool { return held[e.ID] }), nil
}

func refOf(task lanes.Feed, e *events.Event) queue.Ref {
	return queue.Ref{
		Key:   feed.QueueKey(task.Tenant, e.Key, e.ID, task.TaskID),
		Score: float64(e.ID), Head: fmt.Sprintf("%016x", int64(e.ID)),
	}
}
