package rows

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// maxLooked is the greatest number of rows that the text search of one page reads. Therefore, a page may
// have fewer rows than requested, or none, although more pages follow.
const maxLooked = 10_000

// maxRan is the greatest number of rows that one page reads for a filter by build or time. No index
// covers these columns, so the page scans a range of the primary key.
const maxRan = 100_000

// Find returns the rows of a page, and the cursor of the next page. If `q` is not empty, it returns only
// rows that contain this text, and the row with this number. The caller sets f.Limit to the size of the
// page plus one. If `q` is empty, the result `out` may have one row more than the page.
func Find(
	ctx context.Context, q string, v view.Localizer, t *tasks.Task, f events.Filter,
	read func(context.Context, int64, events.Filter) ([]events.Event, error),
) (out []events.Event, next *int64, err error) {
	limit := f.Limit - 1
	rest := bound(t, &f)
	if q == "" {
		out, err = read(ctx, t.Num, f)
		return out, cmp.Or(view.EventCursor(out, limit), rest), err
	}
	match := review.RowMatcher(v.Kind, q)
	f.Limit = 1000
	for looked := 0; looked < maxLooked; looked += f.Limit {
		page, err := read(ctx, t.Num, f)
		if err != nil {
			return nil, nil, err
		}
		for i := range page {
			*cursorOf(&f) = page[i].ID.Seq()
			if !match(&page[i]) {
				continue
			}
			if out = append(out, page[i]); len(out) == limit {
				return out, new(*cursorOf(&f)), nil
			}
		}
		if len(page) < f.Limit {
			return out, rest, nil
		}
	}
	return out, new(*cursorOf(&f)), nil
}

// At returns the filter of a page of rows. The argument `at` is the number of the row before the page;
// 0 for the first page.
func At(f events.Filter, at int64) events.Filter {
	*cursorOf(&f) = at
	return f
}

// cursorOf returns the field of a filter to which the cursor of a page belongs: Before in
// descending order, else After.
func cursorOf(f *events.Filter) *int64 {
	if f.Desc {
		return &f.Before
	}
	return &f.After
}

// bound limits the rows that a page reads for a filter without an index. It returns the cursor of the
// next page, for a page without further matches. It returns nil for other filters, and if the page reads
// up to the end of the task.
func bound(t *tasks.Task, f *events.Filter) (rest *int64) {
	switch {
	case !f.Ran.Any():
	case f.Desc:
		if f.After = max(cmp.Or(f.Before, t.Total+1)-1-maxRan, 0); f.After > 0 {
			return new(f.After + 1)
		}
	default:
		if f.UpTo = f.After + maxRan; f.UpTo < t.Total {
			return new(f.UpTo)
		}
	}
	return nil
}
