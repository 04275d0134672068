package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/savedviews"
	"github.com/rollcall-dev/rollcall/web/view"
)

// homePage holds the data of the page with the list of imports.
type homePage struct {
	Title    string
	Refresh  bool // some import is not done: without a script, the browser reloads the page
	May      bool // the user may start imports
	Corrects bool // the user may correct rows
	Tabs     []homeTab
	Asked    url.Values // the filters
	Views    []savedviews.View
	Kinds    []render.Choice
	Ages     []render.Choice
	Rows     []homeRow
	Newest   string // address of the first page; "" on the first page
	Older    string // address of the next page; "" on the last page
}

// homeTab is a tab of the page. It leads to the imports in one state, and shows their number. The field
// N is "" if no number is shown.
type homeTab struct {
	Words, At, N string
	Chosen       bool
}

// Filtered reports whether the user has chosen a tab or a filter.
func (v homePage) Filtered() bool { return len(v.Asked) > 0 }

// Query returns the chosen tab and filters as URL parameters.
func (v homePage) Query() string { return v.Asked.Encode() }

// View returns the saved view whose filters are chosen; nil if there is none.
func (v homePage) View() *savedviews.View {
	if i := slices.IndexFunc(v.Views, func(s savedviews.View) bool { return s.Query == v.Query() }); i >= 0 {
		return &v.Views[i]
	}
	return nil
}

// homeFilters are the URL parameters that select imports.
var homeFilters = []string{"tab", "q", "kind", "by", "days"}

// ages are the values that the filter by age offers, in days.
var ages = []int{1, 7, 30}

// home serves GET /.
func (p *Handlers) home(c *gin.Context) error {
	v := homePage{Title: request.Printer(c).Text("imports"), Asked: url.Values{}, Kinds: p.importKinds(c), Views: savedviews.Of(c, homeFilters)}
	q, err := p.homeQuery(c, &v)
	if err != nil {
		return err
	}
	if q.Paused, err = p.pauses(c.Request.Context(), request.Tenant(c)); err != nil {
		return err
	}
	list, next, err := p.Lists.Page(c.Request.Context(), request.Tenant(c), q)
	if err != nil {
		return err
	}
	names, err := render.NamesOf(c.Request.Context(), p.Render, request.Tenant(c), list, func(t *tasks.Task) string { return t.CreatedBy })
	if err != nil {
		return err
	}
	corrected, err := p.Lists.Corrected(c.Request.Context(), list, p.ordered)
	if err != nil {
		return err
	}
	for i := range list {
		row := newHomeRow(request.Printer(c), p.card(c, &list[i]), homeFacts{
			pause: q.Paused.Stops(&list[i]), retries: view.AwaitsRetry(&list[i], p.Now()), corrected: corrected[list[i].Num],
		})
		row.Sender = names[row.CreatedBy]
		v.Rows, v.Refresh = append(v.Rows, row), v.Refresh || !row.Done
	}
	if q.Before > 0 {
		v.Newest = homeAt(v.Asked, "", "")
	}
	if next > 0 {
		v.Older = homeAt(v.Asked, "cursor", request.Cursor(next))
	}
	v.May, v.Corrects = request.Caller(c).May(access.TasksWrite), request.Caller(c).May(access.RowsReview)
	if err := p.homeTabs(c, &v, q); err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "home.html", v)
}

// homeQuery reads the tab and the filters from the URL.
func (p *Handlers) homeQuery(c *gin.Context, v *homePage) (q tasklist.Query, err error) {
	for _, name := range homeFilters {
		text := c.Query(name)
		if !textutil.Storable(text) {
			return q, problem.BadParameter(name, "The parameter is not plain text.")
		}
		if text != "" {
			v.Asked.Set(name, text)
		}
	}
	if q.Limit, q.Before, err = request.Page(c); err != nil {
		return q, err
	}
	if q.Tab, err = request.OneOf(c, "tab", tasklist.Tabs...); err != nil {
		return q, err
	}
	by, err := request.OneOf(c, "by", "me")
	if err != nil {
		return q, err
	}
	if by != "" {
		q.Author = request.Actor(c)
	}
	days, err := request.Number(c, "days", 1, 366)
	if err != nil {
		return q, err
	}
	if days > 0 {
		q.Since = p.Now().Add(-time.Duration(days) * 24 * time.Hour).UnixMilli()
	}
	for _, n := range ages {
		v.Ages = append(v.Ages, render.Choice{
			Value: strconv.Itoa(n), Words: request.Printer(c).Text("home.days", "n", n), Chosen: n == days,
		})
	}
	q.Kind, q.Text = v.Asked.Get("kind"), v.Asked.Get("q")
	return q, nil
}

// searched reports whether the user has chosen a filter other than the tab.
func (v homePage) searched() bool {
	return len(v.Asked) > 1 || len(v.Asked) == 1 && !v.Asked.Has("tab")
}

// homeTabs adds the tabs with the numbers of their imports. A filter other than the tab hides the numbers.
func (p *Handlers) homeTabs(c *gin.Context, v *homePage, q tasklist.Query) error {
	var counts map[tasklist.Tab]tasklist.Count
	if !v.searched() { // counting the imports that match would read all imports
		var err error
		if counts, err = p.Lists.Counts(c.Request.Context(), request.Tenant(c), q.Paused); err != nil {
			return err
		}
	}
	in := request.Printer(c)
	for _, tab := range tasklist.Tabs {
		n := ""
		if counts != nil {
			n = in.Integer(counts[tab].N)
		}
		if counts[tab].More {
			n += "+"
		}
		words := in.Text("home.tab." + string(tab))
		v.Tabs = append(v.Tabs, homeTab{words, homeAt(v.Asked, "tab", string(tab)), n, tab == q.Tab})
	}
	return nil
}

// homeAt returns the path of the page with one parameter changed. An empty value removes the parameter.
func homeAt(asked url.Values, name, value string) string {
	q := url.Values{}
	for key, values := range asked {
		q[key] = slices.Clone(values)
	}
	if q.Del(name); value != "" {
		q.Set(name, value)
	}
	if len(q) == 0 {
		return "/"
	}
	return "/?" + q.Encode()
}

// importKinds returns the kinds that files can be imported as, for the filter by kind.
func (p *Handlers) importKinds(c *gin.Context) (out []render.Choice) {
	for _, k := range p.Kinds.Kinds() {
		if k.Schema != nil {
			out = append(out, render.Choice{Value: k.Name, Words: k.DisplayName(string(request.Printer(c))), Chosen: k.Name == c.Query("kind")})
		}
	}
	return out
}
