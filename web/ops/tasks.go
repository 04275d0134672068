package ops

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

const tasksPath = "/ops/tasks"

// opsTasksPage holds the data of the page of tasks that a search has found, newest first.
type opsTasksPage struct {
	opsFrame
	Statuses []tasks.Status
	Kinds    []string
	Asked    url.Values // parameters of the search
	Problem  string
	Tasks    []render.TaskCard
	Senders  map[string]string // names of the senders of the tasks, by id
	Offered  []string          // names that the search by sender offers
	First    string            // address of the first page; "" on the first page
	More     string            // address of the next page; "" on the last page
}

// opsTasks serves GET /ops/tasks. The search for one page reads at most 10,000 tasks. Therefore, a page
// may show few tasks or none, although there is a next page.
func (p *Handlers) opsTasks(c *gin.Context) error {
	v := opsTasksPage{
		opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.tasks"), tasksPath), Statuses: view.TaskStatuses, Kinds: p.Kinds.Names(),
		Asked: url.Values{},
	}
	q, err := v.search(c)
	if err == nil {
		q.Author, err = p.sender(c, q.Author)
	}
	if prob := problem.OfClient(err); prob != nil {
		v.Problem = prob.Localize(string(v.in)).Detail
		return p.Render.Page(c, prob.Status, "ops_tasks.html", v)
	}
	list, next, err := p.Tasks.Search(c.Request.Context(), request.Tenant(c), q)
	if err != nil {
		return err
	}
	if q.Before > 0 {
		v.First = v.at(0)
	}
	if next > 0 {
		v.More = v.at(next)
	}
	for i := range list {
		v.Tasks = append(v.Tasks, render.NewTaskCard(&list[i], p.Now(), v.in, p.Kinds))
	}
	if v.Senders, err = render.NamesOf(c.Request.Context(), p.Render, request.Tenant(c), list, func(t *tasks.Task) string { return t.CreatedBy }); err != nil {
		return err
	}
	if v.Offered, err = p.offered(c, v.Senders); err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "ops_tasks.html", v)
}

// mostNamed is the greatest number of API keys whose names the search by sender offers or compares.
const mostNamed = 100

// sender returns the id of the API key whose name is `text`. If no API key has this name, sender returns
// `text`, because it may be an id. If several API keys have the name, sender returns a problem that
// lists their ids.
func (p *Handlers) sender(c *gin.Context, text string) (string, error) {
	if p.Access == nil || text == "" {
		return text, nil
	}
	ids, err := p.Access.Named(c.Request.Context(), request.Tenant(c), text, mostNamed)
	switch {
	case err != nil || len(ids) == 0:
		return text, err
	case len(ids) > 1:
		in := request.Printer(c)
		return "", problem.BadParameter("by", in.Text("ops.tasks.by.several", "name", render.Shown(text), "keys", strings.Join(ids, in.Text("list"))))
	}
	return ids[0], nil
}

// offered returns the names of the senders on the page. If the user may see the API keys of the tenant, it
// also returns the names of the newest keys.
func (p *Handlers) offered(c *gin.Context, senders map[string]string) ([]string, error) {
	names := map[string]bool{}
	for _, name := range senders {
		names[name] = true
	}
	if p.Access != nil && request.Caller(c).May(access.KeysAdmin) {
		keys, err := p.Access.List(c.Request.Context(), request.Tenant(c), 0, mostNamed)
		if err != nil {
			return nil, err
		}
		for i := range keys {
			names[keys[i].Name] = true
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names)), nil
}

// search returns the search that the parameters of the request describe. It stores the parameters in
// v.Asked, and returns a problem for an invalid one.
func (v *opsTasksPage) search(c *gin.Context) (q tasks.Search, err error) {
	for _, name := range []string{"status", "kind", "label", "by", "from", "until", "q"} {
		if text := strings.TrimSpace(c.Query(name)); text != "" {
			v.Asked.Set(name, text)
			if !textutil.Storable(text) {
				return q, problem.BadParameter(name, v.in.Text("ops.tasks.not_plain", "text", render.Shown(text)))
			}
		}
	}
	if q.Limit, q.Before, err = request.Page(c); err != nil {
		return q, err
	}
	q.Status, q.Kind, q.Author, q.Text = v.Asked.Get("status"), v.Asked.Get("kind"), v.Asked.Get("by"), v.Asked.Get("q")
	if q.Since, err = v.day("from", 0); err != nil {
		return q, err
	}
	if q.Until, err = v.day("until", 1); err != nil {
		return q, err
	}
	if text := v.Asked.Get("label"); text != "" {
		var ok bool
		if q.Label, q.Value, ok = strings.Cut(text, ":"); !ok || q.Label == "" {
			return q, problem.BadParameter("label", v.in.Text("ops.tasks.no_label"))
		}
	}
	return q, nil
}

// day returns the start of the day that a parameter names, in UTC and unix ms. The argument `later` is a
// number of days to add. If the parameter is missing, day returns 0. If it is not a day after
// 1970-01-01, day returns a problem.
func (v *opsTasksPage) day(name string, later int) (int64, error) {
	text := v.Asked.Get(name)
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil || at.UnixMilli() <= 0 {
		return 0, problem.BadParameter(name, v.in.Text("ops.tasks.no_day"))
	}
	return at.AddDate(0, 0, later).UnixMilli(), nil
}

// MoreAsked reports whether the search has conditions other than a part of the name. Without such
// conditions, the page hides their fields, so that the tasks are visible on a phone.
func (v opsTasksPage) MoreAsked() bool {
	return len(v.Asked) > 1 || len(v.Asked) == 1 && !v.Asked.Has("q")
}

// Filtered reports whether the search has any conditions.
func (v opsTasksPage) Filtered() bool { return len(v.Asked) > 0 }

// at returns the path of a page of the search. The page shows tasks with numbers below `before`; 0 means
// the first page.
func (v opsTasksPage) at(before int64) string {
	q := maps.Clone(v.Asked)
	if before > 0 {
		q.Set("cursor", request.Cursor(before))
	}
	return tasksPath + "?" + q.Encode()
}
