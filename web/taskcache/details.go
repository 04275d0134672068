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

// firstErrors is the greatest number of rows with the status failed or error that a poll shows.
const firstErrors = 20

// Details is the loader of the details of a task for a poll. The details are the first rows with the status
// failed or error, and the error groups of the task.
type Details struct {
	Events *events.Store
	Kinds  *jobs.Registry
	Now    func() time.Time
}

// Load returns a function that renders the task and its details. The texts contain no system faults, so
// all callers may read them.
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
		out, loc := v, view.Localizer{Kind: kind.WithHeadings(view.Headings(t.Columns)), Lang: lang}
		out.Problem = problem.OfTask(lang, t.Problem)
		out.Errors, out.ErrorGroups = loc.RowErrors(t.ID, rows), loc.Groups(groups)
		return out
	}, nil
}
