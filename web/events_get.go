package web

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// The statuses that lists can be filtered by.
var (
	allStatuses = []events.Status{
		events.Enqueue, events.Working, events.Finish, events.Failed, events.Error, events.Canceled,
	}
	badStatuses = []events.Status{events.Failed, events.Error}
)

// eventsPage is a page of rows, or what has changed of it.
type eventsPage struct {
	view.Page[view.Event]
	Version string   `json:"version" doc:"Which rows are on the page, and which version of each: to be sent as 'since'."`
	Gone    []string `json:"gone,omitzero" doc:"Ids of rows that are not on the page any more; only with 'since'."`
}

// listEvents serves GET /tasks/{id}/events: a page of rows or, with since, what
// has changed of it.
func (s *Server) listEvents(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c, allStatuses)
	if err != nil {
		return err
	}
	loc := s.localizer(c, t)
	list, next, err := find(c, loc, t, f, s.opt.Events.List)
	if err != nil {
		return err
	}
	list = list[:min(len(list), limit)]
	has, err := s.since(c, t, list)
	if err != nil {
		return err
	}
	out := eventsPage{Version: marksOf(t.ID, list)}
	if has != nil {
		var gone []int64
		list, gone = has.news(list)
		out.Gone = jobIDs(t.ID, gone)
	}
	items := view.All(list, func(e *events.Event) view.Event { return loc.View(t, e) })
	out.Page = view.Page[view.Event]{Items: items, Next: sealed(c, next)}
	c.JSON(http.StatusOK, out)
	return nil
}

// jobIDs are the ids of rows of a task, in file order.
func jobIDs(task string, seqs []int64) []string {
	out := []string{}
	for _, seq := range slices.Sorted(slices.Values(seqs)) {
		out = append(out, events.NewID(0, seq).JobID(task))
	}
	return out
}

// listErrors serves GET /tasks/{id}/errors.
func (s *Server) listErrors(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c, badStatuses)
	if err != nil {
		return err
	}
	read := s.opt.Events.Bad
	if len(f.Statuses) > 0 {
		read = s.opt.Events.List
	}
	loc := s.localizer(c, t)
	list, next, err := find(c, loc, t, f, read)
	if err != nil {
		return err
	}
	items := loc.RowErrors(t.ID, list[:min(len(list), limit)])
	return answerPage(c, items, sealed(c, next))
}

// maxLooked is how many rows one page looks at for a text: it may be shorter than
// asked for, even empty, and more may follow.
const maxLooked = 10_000

// maxRan is how many rows one page reads for a filter by build or time. No index covers
// these columns, so the page scans a range of the primary key.
const maxRan = 100_000

// find reads a page of rows, one more than it holds, and where the next begins.
func find(
	c *gin.Context, v view.Localizer, t *tasks.Task, f events.Filter,
	read func(context.Context, int64, events.Filter) ([]events.Event, error),
) (out []events.Event, next *int64, err error) {
	limit, q := f.Limit-1, c.Query("q")
	if f.Ran.Any() {
		f.UpTo = f.After + maxRan
	}
	if q == "" {
		out, err = read(c.Request.Context(), t.Num, f)
		return out, cmp.Or(eventCursor(out, limit), behind(t, f)), err
	}
	match := review.Matcher(v.Kind, q)
	f.Limit = 1000
	for looked := 0; looked < maxLooked; looked += f.Limit {
		page, err := read(c.Request.Context(), t.Num, f)
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

// behind returns where the next page begins after a page that read up to f.UpTo; nil if
// no rows are left.
func behind(t *tasks.Task, f events.Filter) *int64 {
	if f.UpTo == 0 || f.UpTo >= t.Total {
		return nil
	}
	return new(f.UpTo)
}

func eventCursor(list []events.Event, limit int) *int64 {
	_, next := cut(list, limit, func(e *events.Event) int64 { return e.ID.Seq() })
	return next
}

// eventPage reads the task, the filter and the page of a list of events. The
// filter asks for one more than the page holds.
func (s *Server) eventPage(
	c *gin.Context, known []events.Status,
) (*tasks.Task, events.Filter, int, error) {
	limit, after, err := s.listPage(c)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	from, err := number(c, "row_gte", 1, math.MaxInt32)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	statuses, err := someOf(c, "status", known...)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	resolution, err := oneOf(c, "resolution", events.Open, events.Fixed, events.Skipped, events.Resubmitted, events.Superseded)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	superseded, err := oneOf(c, "superseded", "true", "false")
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	ran, err := readRan(c)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	f := events.Filter{
		Ran: ran, Print: c.Query("fingerprint"), Resolution: resolution, Statuses: statuses, Code: c.Query("code"), Column: c.Query("column"), Key: c.Query("key"),
		RowFrom: from, After: after, Limit: limit + 1, Standing: superseded == "false",
	}
	if err := checkTraces(c, f); err != nil {
		return nil, f, 0, err
	}
	t, err := s.taskOf(c)
	return t, f, limit, err
}

// listGroups serves GET /tasks/{id}/error-groups.
func (s *Server) listGroups(c *gin.Context, t *tasks.Task) error {
	groups, err := s.opt.Events.Groups(c.Request.Context(), t.Num)
	if err != nil {
		return err
	}
	return answerPage(c, s.localizer(c, t).Groups(groups), nil)
}

// getEvent serves GET /events/{id}.
func (s *Server) getEvent(c *gin.Context) error {
	t, e, err := s.eventOf(c)
	if err != nil {
		return err
	}
	c.Header("ETag", eventTag(e))
	c.JSON(http.StatusOK, s.localizer(c, t).View(t, e))
	return nil
}
