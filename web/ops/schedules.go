package ops

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

const plansPath = "/ops/schedules"

// opsPlansPage holds the data of the page of schedules. The newest schedule comes first.
type opsPlansPage struct {
	opsFrame
	Schedules []view.Schedule
	First     bool   // the first page is shown
	Cursor    string // cursor of this page; "" on the first page
	More      string // address of the next page; "" on the last page
	CatchUps  []string
	Asked     url.Values // the entered values
	Problem   *problem.Problem
}

// opsPlans serves GET /ops/schedules.
func (p *Handlers) opsPlans(c *gin.Context) error {
	asked := url.Values{"time_zone": {"UTC"}, "catch_up": {schedules.CatchUpSkip}}
	return p.renderPlans(c, http.StatusOK, opsPlansPage{Asked: asked})
}

func (p *Handlers) renderPlans(c *gin.Context, status int, v opsPlansPage) error {
	list, next, err := request.Listing[schedules.Schedule, view.Schedule]{
		Read: func(ctx context.Context, before int64, limit int) ([]schedules.Schedule, error) {
			return p.Schedules.List(ctx, request.Tenant(c), before, limit)
		},
		Num: func(sc *schedules.Schedule) int64 { return sc.Num }, View: view.OfSchedule,
	}.Items(c, request.Page)
	if err != nil {
		return err
	}
	v.opsFrame = p.opsFrame(c, request.Printer(c).Text("ops.door.schedules"), plansPath)
	v.CatchUps = []string{schedules.CatchUpSkip, schedules.CatchUpOnce, schedules.CatchUpAll}
	v.First, v.Cursor, v.More = request.FirstPage(c), c.Query("cursor"), request.MoreAt(plansPath, next)
	for _, sc := range list {
		v.Schedules = append(v.Schedules, scheduleWords(v.in, sc))
	}
	return p.Render.Page(c, status, "ops_schedules.html", v)
}

// scheduleWords returns a schedule whose problem has a text in the user's language.
func scheduleWords(in locale.Printer, v view.Schedule) view.Schedule {
	if v.Problem != nil {
		localized := *v.Problem
		localized.Detail = problem.DetailIn(string(in), localized.Code, localized.Detail, 0, nil)
		v.Problem = &localized
	}
	return v
}

// scheduleProblem returns the problem of a rejected form in the user's language. For a problem of the field
// "request", the list of errors remains in English.
func scheduleProblem(in locale.Printer, p *problem.Problem) *problem.Problem {
	localized := p.Localize(string(in))
	if in == words.Default {
		return &localized
	}
	for _, f := range p.Errors {
		field, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/")
		switch field {
		case "request":
			localized.Detail = in.Text("ops.plans.wrong.request")
			return &localized
		case "name", "cron", "time_zone", "catch_up":
			localized.Detail, localized.Errors = in.Text("ops.plans.wrong."+field), nil
			return &localized
		}
	}
	return &localized
}

// opsMakePlan serves POST /ops/schedules.
func (p *Handlers) opsMakePlan(c *gin.Context) error {
	form := request.Form(c)
	entered := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	sc := &schedules.Schedule{
		Tenant: request.Tenant(c), CreatedBy: request.Actor(c), Maker: request.Caller(c).Key, Name: entered("name"), Cron: entered("cron"),
		TimeZone: entered("time_zone"), CatchUp: entered("catch_up"), Request: entered("request"),
	}
	err := p.Intake.CheckSchedule(c.Request.Context(), sc, request.NewTask(c))
	if err == nil {
		err = p.Manage.AddSchedule(c.Request.Context(), sc)
	}
	if prob := problem.OfClient(err); prob != nil {
		return p.renderPlans(c, prob.Status, opsPlansPage{Asked: form, Problem: scheduleProblem(request.Printer(c), prob)})
	}
	if err != nil {
		return err
	}
	return p.Render.Done(c, plansPath, "schedule", 1, 1)
}

// opsControlPlan serves POST /ops/schedules/{id}/pause, /resume, /run and /delete.
func (p *Handlers) opsControlPlan(c *gin.Context, sc *schedules.Schedule) error {
	act := c.Param("act")
	do := func() error {
		if err := p.actOnSchedule(c, sc, act); err != nil {
			return err
		}
		return p.Render.Done(c, request.FormPage(c, plansPath, "cursor"), act+"-schedule", 1, 1)
	}
	switch act {
	case "run", "delete":
		ask := p.askOfSchedule(request.Printer(c), sc, act)
		ask.Fields, ask.Back = []opsField{{"seen", sc.LastTaskID}}, request.FormPage(c, plansPath, "cursor")
		return p.confirm(c, ask, do)
	case "pause", "resume":
		return do()
	}
	return problem.ErrNoPath
}

// askOfSchedule returns the confirmation for running or deleting a schedule.
func (p *Handlers) askOfSchedule(in locale.Printer, sc *schedules.Schedule, act string) opsAsk {
	v := view.OfSchedule(sc)
	ask := opsAsk{Do: in.Text("ops.plans." + act + ".do"), marked: plansPath}
	ask.Title = in.Text("ops.plans." + act + ".title")
	ask.Text = in.Text("ops.plans."+act+".asks",
		"name", render.Shown(sc.Name), "kind", render.Shown(p.Kinds.Title(string(in), v.Kind)), "type", in.Text("ops.type."+v.Type))
	return ask
}

// actOnSchedule executes one act on a schedule. Pausing a paused schedule and resuming an active one are
// no-ops. Starting a run is a no-op if another run has started since the page was shown.
func (p *Handlers) actOnSchedule(c *gin.Context, sc *schedules.Schedule, act string) error {
	ctx := c.Request.Context()
	switch act {
	case "run":
		seen := request.Form(c).Get("seen")
		_, _, err := p.Intake.Run(ctx, schedules.Run{Schedule: sc, Seen: &seen}, request.NewTask(c))
		if errors.Is(err, schedules.ErrChanged) {
			return nil // a run has begun since the page was shown, for example because the user clicked twice
		}
		return err
	case "delete":
		return p.Manage.DeleteSchedule(ctx, sc)
	}
	if paused := act == "pause"; sc.Paused != paused {
		return p.Manage.PauseSchedule(ctx, sc, paused)
	}
	return nil
}
