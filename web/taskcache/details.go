package taskcache

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// firstErrors is the number of failed rows that a poll shows.
const firstErrors = 20

// Details reads the details that a poll shows beside the task: its first failed rows and their causes.
type Details struct {
	Events *events.Store
	Kinds  *jobs.Registry
	Now    func() time.Time
}

// Load reads the details of a task. Its texts are for callers who may not read system faults.
func (d Details) Load(ctx context.Context, t *tasks.Task) (Render, error) {
	v := view.OfTask(t, d.Now())
	if t.Failed+t.Error == 0 {
		return func(lang string) view.Task {
			out := v
			out.Problem = problem.OfTask(lang, t.Problem)
			return out
		}, nil
	}
	rows, err := d.Events.Bad(ctx, t.Num, events.Filter{Limit: firstErrors})
	if err != nil {
		return nil, err
	}
	groups, err := d.Events.Groups(ctx, t.Num)
	if err != nil {
		return nil, err
	}
	kind, _ := d.Kinds.Kind(t.Kind)
	return func(lang string) view.Task {
		out, loc := v, view.Localizer{Kind: kind, Lang: lang}
		out.Problem = problem.OfTask(lang, t.Problem)
		out.Errors, out.ErrorGroups = loc.RowErrors(t.ID, rows), loc.Groups(groups)
		return out
	}, nil
}
