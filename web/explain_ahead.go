package web

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/tasks"
)

// ahead explains that n rows are fed before the row, and names the task that comes first.
func (x *explainer) ahead(ctx context.Context, own *tasks.Feed, n int64) error {
	first, err := x.s.opt.Tasks.FirstAhead(ctx, *own)
	if err != nil {
		return err
	}
	var r *reasonView
	switch {
	case first == nil:
		r = x.add("NOT_FED", "n", n)
	case first.Unread:
		r = x.add("BEHIND_FILE", "task", cmp.Or(first.Name, first.TaskID))
	default:
		r = x.add("BEHIND_TASK", "n", n, "task", cmp.Or(first.Name, first.TaskID))
	}
	if r.Place = &n; first != nil {
		r.Behind = &first.TaskID
	}
	return nil
}
