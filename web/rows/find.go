package rows

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// maxLooked is the most rows that one page reads for a text. The page may be shorter than requested,
// even empty, and more may follow.
const maxLooked = 10_000

// maxRan is the most rows that one page reads for a filter by build or time. No index covers these
// columns, so the page scans a range of the primary key.
const maxRan = 100_000

// Find reads a page of rows, with one row more than the page holds, and returns the start of the next
// page.
func Find(
	ctx context.Context, q string, v view.Localizer, t *tasks.Task, f events.Filter,
	read func(context.Context, int64, events.Filter) ([]events.Event, error),
) (out []events.Event, next *int64, err error) {
	limit := f.Limit - 1
	if f.Ran.Any() {
		f.UpTo = f.After + maxRan
	}
	if q == "" {
		out, err = read(ctx, t.Num, f)
		return out, cmp.Or(view.EventCursor(out, limit), behind(t, f)), err
	}
	match := review.Matcher(v.Kind, q)
	f.Limit = 1000
	for looked := 0; looked < maxLooked; looked += f.Limit {
		page, err := read(ctx, t.Num, f)
		if err != nil {
			return nil, nil, err
		}
		for i := range page {
			f.After = page[i].ID.Seq()
			if !match(&page[i]) {
				continue
			}
			if out = append(out, page[i]); len(out) == limit {
				return out, new(f.After), nil
			}
		}
		if len(page) < f.Limit {
			return out, behind(t, f), nil
		}
	}
	return out, new(f.After), nil
}

// behind returns the start of the next page after a page that read up to f.UpTo, or nil if no rows are
// left.
func behind(t *tasks.Task, f events.Filter) *int64 {
	if f.UpTo == 0 || f.UpTo >= t.Total {
		return nil
	}
	return new(f.UpTo)
}
