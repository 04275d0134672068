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
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// errorsDoor is the page of groups of system errors.
const errorsDoor = "/ops/errors"

// opsErrorsPage is the page of the groups of system errors of a tenant, the latest first.
type opsErrorsPage struct {
	opsFrame
	Groups []opsFaultGroup
}

// opsFaultGroup is a group of system errors.
type opsFaultGroup struct {
	rows.FaultGroup
	First, Last *string
	Spark       string // rows by the hour in the last day, as the points of a line
}

// At returns the address of the group's list of rows.
func (g opsFaultGroup) At() string {
	return errorsDoor + "/" + url.PathEscape(g.Kind) + "/" + url.PathEscape(g.Print)
}

// opsErrors serves GET /ops/errors.
func (p *Handlers) opsErrors(c *gin.Context) (err error) {
	v := opsErrorsPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.errors"), errorsDoor)}
	if v.Groups, err = p.faultGroups(c); err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "ops_errors.html", v)
}

func (p *Handlers) faultGroups(c *gin.Context) ([]opsFaultGroup, error) {
	list, err := p.Rows.FaultGroups(c.Request.Context())
	return view.All(list, func(g *rows.FaultGroup) opsFaultGroup {
		return opsFaultGroup{*g, view.InstantOf(optionalTime(g.First)), view.InstantOf(optionalTime(g.Last)), trendLine(g.Trend[:])}
	}), err
}

// trendLine returns numbers as the points of a line.
func trendLine(trend []int64) string {
	most := max(slices.Max(trend), 1)
	var b strings.Builder
	for i, n := range trend {
		fmt.Fprintf(&b, "%.1f,%.1f ", float64(sparkWide*i)/float64(len(trend)-1), sparkHigh-1-float64((sparkHigh-2)*n)/float64(most))
	}
	return strings.TrimSpace(b.String())
}

// groupOf returns the group of a path, or problem.ErrNotFound.
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

// opsErrorPage is one group of system errors with its rows.
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
	v := opsErrorPage{opsFrame: p.opsFrame(c, render.Clip(g.Fault), errorsDoor), Group: g, Rows: s.found}
	if at > 0 {
		v.First = g.At()
	}
	if s.next > 0 {
		v.More = g.At() + "?cursor=" + request.Cursor(int64(s.next))
	}
	return p.Render.Page(c, http.StatusOK, "ops_error.html", v)
}

// groupActs are the acts on the rows of a group.
var groupActs = map[string]review.Act{"run": review.Resubmit, "skip": review.Skip}

// opsTurnError serves POST /ops/errors/{kind}/{print}/run and /skip: it shows the number of rows for
// confirmation, and acts when the form is confirmed.
func (p *Handlers) opsTurnError(c *gin.Context) error {
	verb := c.Param("act")
	act, known := groupActs[verb]
	if !known {
		return problem.ErrNoPath
	}
	g, err := p.groupOf(c)
	if err != nil {
		return err
	}
	press := review.Press{
		Act: act, By: request.Actor(c), DryRun: request.Form(c).Get("meant") != "yes",
		Filter: events.Filter{Statuses: []events.Status{events.Error}, Print: g.Print},
	}
	reach := rows.Reach{Kind: g.Kind}
	sum, err := p.Rows.OverAllTasks(c.Request.Context(), reach, press)
	if err != nil {
		return err
	}
	in, n := request.Printer(c), sum.Done
	if press.DryRun {
		n = sum.Matched - sum.StillInvalid
	}
	ask := opsAsk{Back: back(c, errorsDoor), door: errorsDoor}
	ask.Title = in.Text("ops.errors." + verb + ".title")
	ask.Do = in.Text("ops.errors."+verb+".do", "n", n)
	ask.Text = in.Text("ops.errors."+verb+".asks", "n", n, "tasks", sum.Tasks, "fault", render.Clip(render.Shown(g.Fault)))
	return p.confirmed(c, ask, func() error { return p.Render.Done(c, ask.Back, verb+"-rows", int(n), int(sum.Matched)) })
}
