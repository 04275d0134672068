package explain

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Task returns the reasons for the state of the first waiting row of a task or, if no row waits, of its
// first running row. If no row waits or runs, the possible reasons are that the file is unread, and that
// other tasks must be done first. Task returns no reasons for a task that is done.
func (s *Service) Task(ctx context.Context, v view.Localizer, t *tasks.Task) (view.TaskExplanation, error) {
	out := view.TaskExplanation{TaskID: t.ID, Status: t.Status, Reasons: []view.Reason{}}
	e, err := s.unfinished(ctx, t)
	if err != nil {
		return out, err
	}
	if e == nil {
		if !t.TotalIsFinal && t.Source.FileID != "" {
			x := explainer{in: locale.Printer(v.Lang)}
			x.add("FILE_UNREAD")
			out.Reasons = x.out
		}
		if t.Awaits > 0 && !t.Status.Done() {
			x := explainer{s: s, in: locale.Printer(v.Lang), t: t}
			err = x.addAwaitedReason(ctx)
			out.Reasons = append(out.Reasons, x.out...)
		}
		return out, err
	}
	if out.Queued, err = s.queued(ctx, t); err != nil {
		return out, err
	}
	row, err := s.Row(ctx, v, t, e)
	out.EventID, out.Reasons = &row.EventID, row.Reasons
	return out, err
}

// queued returns the number of rows of a task that are in Redis and have not ended.
func (s *Service) queued(ctx context.Context, t *tasks.Task) (int64, error) {
	f, err := lanes.New(s.Tasks).FeedOf(ctx, t.Num)
	if err != nil || f == nil {
		return 0, err
	}
	return max(f.InRedis, 0), nil
}

// unfinished returns the first waiting row of a task or, if no row waits, the first running row. It returns
// nil if no row waits or runs.
func (s *Service) unfinished(ctx context.Context, t *tasks.Task) (*events.Event, error) {
	for _, of := range []struct {
		status events.Status
		n      int64
	}{{events.Enqueue, t.Enqueue}, {events.Working, t.Working}} {
		if of.n == 0 {
			continue
		}
		list, err := s.Events.List(ctx, t.Num, events.Filter{Statuses: []events.Status{of.status}, Limit: 1})
		if err != nil || len(list) > 0 {
			return first(list), err
		}
	}
	return nil, nil
}

func first(list []events.Event) *events.Event {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// Held returns the number of held rows of a task. The feeder has passed these rows without a push,
// because Redis has enough rows of their keys, or because the keys wait for a start time.
func (s *Service) Held(ctx context.Context, t *tasks.Task) (int64, error) {
	f, err := lanes.New(s.Tasks).FeedOf(ctx, t.Num)
	if err != nil || f == nil {
		return 0, err
	}
	return f.HeldRows, nil
}
