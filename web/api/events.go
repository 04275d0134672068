package api

import (
	"math"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// allStatuses and badStatuses are the statuses by which clients can filter the lists of rows and of
// errors.
var (
	allStatuses = []events.Status{
		events.Enqueue, events.Working, events.Finish, events.Failed, events.Error, events.Canceled,
	}
	badStatuses = []events.Status{events.Failed, events.Error}
)

// EventsPage is a page of rows or, if the client sent a version, the changes since that version.
type EventsPage struct {
	view.Page[view.Event]
	Version string   `json:"version" doc:"Rows of the page and their versions, to be sent as 'since'."`
	Gone    []string `json:"gone,omitzero" doc:"Ids of rows that are not on the page any more; only with 'since'."`
}

// listEvents serves GET /tasks/{id}/events: a page of rows or, with the parameter "since", the changes
// of the page.
func (s *Handlers) listEvents(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c, allStatuses)
	if err != nil {
		return err
	}
	loc := s.Locale.Localizer(c, t)
	list, next, err := rows.Find(c.Request.Context(), c.Query("q"), loc, t, f, s.Events.List)
	if err != nil {
		return err
	}
	list = list[:min(len(list), limit)]
	has, err := s.since(c, t, list)
	if err != nil {
		return err
	}
	out := EventsPage{Version: versionOf(t.ID, list)}
	if has != nil {
		var gone []int64
		list, gone = has.changes(list)
		out.Gone = jobIDs(t.ID, gone)
	}
	items := view.All(list, func(e *events.Event) view.Event { return loc.View(t, e) })
	out.Page = view.Page[view.Event]{Items: items, Next: request.Sealed(c, next)}
	return request.AnswerItems[view.Event](c, out)
}

// jobIDs returns the job ids of the rows with these seqs, in file order.
func jobIDs(task string, seqs []int64) []string {
	out := []string{}
	for _, seq := range slices.Sorted(slices.Values(seqs)) {
		out = append(out, events.NewID(0, seq).JobID(task))
	}
	return out
}

// listErrors serves GET /tasks/{id}/errors.
func (s *Handlers) listErrors(c *gin.Context) error {
	t, f, limit, err := s.eventPage(c, badStatuses)
	if err != nil {
		return err
	}
	read := s.Events.Bad
	if len(f.Statuses) > 0 {
		read = s.Events.List
	}
	loc := s.Locale.Localizer(c, t)
	list, next, err := rows.Find(c.Request.Context(), c.Query("q"), loc, t, f, read)
	if err != nil {
		return err
	}
	items := loc.RowErrors(t.ID, list[:min(len(list), limit)])
	return request.AnswerPage(c, items, request.Sealed(c, next))
}

// eventPage reads the task, the filter and the page size of a list of rows. The limit of the filter is
// the page size plus one: the extra row shows that there is a next page.
func (s *Handlers) eventPage(
	c *gin.Context, known []events.Status,
) (*tasks.Task, events.Filter, int, error) {
	limit, at, err := s.Cursors.ListPage(c)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	order, err := request.OneOf(c, "sort", "row", "-row")
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	from, err := request.Number(c, "row_gte", 1, math.MaxInt32)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	statuses, err := request.SomeOf(c, "status", known...)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	resolution, err := request.OneOf(c, "resolution", events.Open, events.Fixed, events.Skipped, events.Accepted, events.Resubmitted, events.Superseded)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	superseded, err := request.OneOf(c, "superseded", "true", "false")
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	ran, err := readRan(c)
	if err != nil {
		return nil, events.Filter{}, 0, err
	}
	f := rows.At(events.Filter{
		Desc: order == "-row", Ran: ran, Print: c.Query("fingerprint"), Resolution: resolution, Statuses: statuses, Code: c.Query("code"), Column: c.Query("column"), Key: c.Query("key"),
		RowFrom: from, Limit: limit + 1, NotSuperseded: superseded == "false",
	}, at)
	if err := rows.CheckTraces(c.Request.Context(), f); err != nil {
		return nil, f, 0, err
	}
	t, err := s.Find.TaskOf(c)
	return t, f, limit, err
}

// listGroups serves GET /tasks/{id}/error-groups.
func (s *Handlers) listGroups(c *gin.Context, t *tasks.Task) error {
	groups, err := s.Events.Groups(c.Request.Context(), t.Num)
	if err != nil {
		return err
	}
	return request.AnswerPage(c, s.Locale.Localizer(c, t).Groups(groups), nil)
}

// getEvent serves GET /events/{id}.
func (s *Handlers) getEvent(c *gin.Context) error {
	fields, err := request.Fields[view.Event](c)
	if err != nil {
		return err
	}
	t, e, err := s.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	c.Header("ETag", eventTag(e))
	return request.AnswerObject(c, s.Locale.Localizer(c, t).View(t, e), fields)
}

// readRan reads the parameters that select rows by the build of the process that ran them last, and by the
// time at which they ended.
func readRan(c *gin.Context) (events.Ran, error) {
	in := rows.RanRequest{Build: c.Query("build"), FinishedGte: c.Query("finished_gte"), FinishedLt: c.Query("finished_lt")}
	out := events.Ran{Build: in.Build}
	for name, to := range map[string]*int64{"finished_gte": &out.From, "finished_lt": &out.To} {
		at, err := request.ReadTime(c, name)
		if err != nil {
			return out, err
		}
		*to = at
	}
	return out, nil
}
