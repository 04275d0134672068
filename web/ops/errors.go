package ops

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

const errorsPath = "/ops/errors"

// opsErrorsPage holds the data of the page of system errors, grouped by kind and fingerprint. The group
// with the latest error comes first.
type opsErrorsPage struct {
	opsFrame
	Groups []opsFaultGroup
}

// opsFaultGroup is a group of system errors with the same kind and fingerprint.
type opsFaultGroup struct {
	rows.FaultGroup
	First, Last *string
	Spark       opsLine // rows by the hour in the last day
}

// At returns the path of the page of the group.
func (g opsFaultGroup) At() string {
	return errorsPath + "/" + url.PathEscape(g.Kind) + "/" + url.PathEscape(g.Print)
}

// opsErrors serves GET /ops/errors.
func (p *Handlers) opsErrors(c *gin.Context) (err error) {
	v := opsErrorsPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.errors"), errorsPath)}
	if v.Groups, err = p.faultGroups(c); err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "ops_errors.html", v)
}

func (p *Handlers) faultGroups(c *gin.Context) ([]opsFaultGroup, error) {
	list, err := p.Rows.FaultGroups(c.Request.Context())
	return view.All(list, func(g *rows.FaultGroup) opsFaultGroup {
		shown := *g
		shown.Fault = events.WithoutPlainType(g.Fault)
		return opsFaultGroup{shown, view.InstantOf(textutil.Optional(g.First)), view.InstantOf(textutil.Optional(g.Last)), trendLine(g.Trend[:])}
	}), err
}

// trendLine returns a sparkline of the numbers.
func trendLine(trend []int64) opsLine {
	most := max(slices.Max(trend), 1)
	var b strings.Builder
	for i, n := range trend {
		fmt.Fprintf(&b, "%.1f,%.1f ", float64(sparkWide*i)/float64(len(trend)-1), sparkHigh-1-float64((sparkHigh-2)*n)/float64(most))
	}
	return opsLine{strings.TrimSpace(b.String()), float64(slices.Max(trend))}
}

// groupOf returns the group that the path names, or problem.ErrNotFound.
func (p *Handlers) groupOf(c *gin.Context) (g opsFaultGroup, err error) {
	list, err := p.faultGroups(c)
	if err != nil {
		return g, err
	}
	i := slices.IndexFunc(list, func(g opsFaultGroup) bool { return g.Kind == c.Param("kind") && g.Print == c.Param("print") })
	if i < 0 {
		return g, problem.ErrNotFound
	}
	return list[i], nil
}

// opsErrorPage holds the data of the page of one group of system errors.
type opsErrorPage struct {
	opsFrame
	Group opsFaultGroup
	Rows  []opsFound
	More  string
	First string
}

// opsError serves GET /ops/errors/{kind}/{print}.
func (p *Handlers) opsError(c *gin.Context) error {
	g, err := p.groupOf(c)
	if err != nil {
		return err
	}
	_, at, err := request.Page(c)
	if err != nil {
		return err
	}
	s := textSearch{kind: g.Kind, print: g.Print, at: events.ID(at), most: foundShown}
	if err := p.findText(c, &s); err != nil {
		return err
	}
	g.Fault = events.WithoutPlainType(g.Fault)
	v := opsErrorPage{opsFrame: p.opsFrame(c, render.Clip(g.Fault), errorsPath), Group: g, Rows: s.found}
	if at > 0 {
		v.First = g.At()
	}
	if s.next > 0 {
		v.More = g.At() + "?cursor=" + request.Cursor(int64(s.next))
	}
	return p.Render.Page(c, http.StatusOK, "ops_error.html", v)
}

// groupActs maps verbs in paths to acts on the rows of a group. It lacks the verb delete, which acts on jobs.
var groupActs = map[string]review.Act{"run": review.Resubmit, "skip": review.Skip}

// opsControlError serves POST /ops/errors/{kind}/{print}/run, /skip and /delete. It answers the first
// request with a page that asks for a confirmation and shows the number of rows or jobs. The confirmed
// form executes the act.
func (p *Handlers) opsControlError(c *gin.Context) error {
	verb := c.Param("act")
	act, known := groupActs[verb]
	if !known && verb != "delete" {
		return problem.ErrNoPath
	}
	g, err := p.groupOf(c)
	if err != nil {
		return err
	}
	if !known {
		return p.opsDeleteError(c, g)
	}
	action := review.BulkAction{
		Act: act, By: request.Actor(c), DryRun: request.Form(c).Get("meant") != "yes",
		Filter: events.Filter{Statuses: []events.Status{events.Error}, Print: g.Print},
	}
	reach := rows.Reach{Kind: g.Kind}
	sum, err := p.Rows.OverAllTasks(c.Request.Context(), reach, action)
	if err != nil {
		return err
	}
	in, n := request.Printer(c), sum.Done
	if action.DryRun {
		n = sum.Matched - sum.StillInvalid
	}
	ask := opsAsk{Back: back(c, errorsPath), marked: errorsPath}
	ask.Title = in.Text("ops.errors." + verb + ".title")
	ask.Do = in.Text("ops.errors."+verb+".do", "n", n)
	ask.Text = in.Text("ops.errors."+verb+".asks", "n", n, "tasks", sum.Tasks, "fault", render.Clip(render.Shown(g.Fault)))
	return p.confirm(c, ask, func() error { return p.Render.Done(c, ask.Back, verb+"-rows", int(n), int(sum.Matched)) })
}

// opsDeleteError serves POST /ops/errors/{kind}/{print}/delete. If the group has no dead jobs, it redirects
// with a message. Otherwise, it answers the first request with a page that shows their number and requests a
// confirmation. After the confirmation, it deletes the jobs; their rows keep the status error.
func (p *Handlers) opsDeleteError(c *gin.Context, g opsFaultGroup) error {
	sure := request.Form(c).Get("meant") == "yes"
	n, err := p.Manage.DiscardFault(c.Request.Context(), g.Kind, g.Print, !sure)
	if err != nil {
		return err
	}
	ask := opsAsk{Back: back(c, g.At()), marked: errorsPath}
	if n == 0 {
		return p.Render.Done(c, ask.Back, "delete-none", 0, 0)
	}
	in := request.Printer(c)
	ask.Title, ask.Do = in.Text("ops.errors.delete"), in.Text("ops.errors.delete.do", "n", n)
	ask.Text = in.Text("ops.errors.delete.asks", "n", n, "fault", render.Clip(render.Shown(g.Fault)))
	return p.confirm(c, ask, func() error { return p.Render.Done(c, ask.Back, "delete-jobs", n, n) })
}
