package ops

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

const limitsPath = "/ops/limits"

// opsLimitsPage holds the data of the page of limits of the user's tenant.
type opsLimitsPage struct {
	opsFrame
	Tenant  string
	Limits  []opsLimit
	Problem string
	Weight  int64
	Paused  bool
	Stopped bool // the owner has paused the tenant
	Work    tasks.TenantBacklog
	Counted *string // time of the count of Work; nil: just now
}

// opsLimit is one limit in a form.
type opsLimit struct {
	Name  string
	Value string // "" for none
	About string // text beside the field
}

// newLimit returns the form field of a limit. The text beside the field has the unit, and the meaning of an
// empty field. The argument `most` is the most that the owner allows; "" for any number.
func newLimit(in locale.Printer, name, value, most string) opsLimit {
	empty := in.Text("ops.limits.empty")
	switch {
	case most != "":
		empty = in.Text("ops.limits.most", "n", most)
	case name == "priority":
		empty = in.Text("ops.limits.empty.n", "n", tasks.MaxPriority)
	case name == "schedules":
		empty = in.Text("ops.limits.empty.n", "n", tasks.MaxSchedules)
	case name == "window", name == "rate":
		empty = in.Text("ops.limits.empty.service")
	}
	return opsLimit{name, value, in.Text("ops.limit."+name+".about") + "; " + empty}
}

// opsLimits serves GET /ops/limits.
func (p *Handlers) opsLimits(c *gin.Context) error {
	l, err := p.Tasks.Limits(c.Request.Context(), request.Tenant(c))
	if err != nil {
		return err
	}
	values := map[string]string{}
	for _, name := range tasks.LimitNames {
		if at, _ := l.Field(name); *at > 0 {
			values[name] = limitText(name, *at)
		}
	}
	return p.renderLimits(c, http.StatusOK, values, "")
}

func (p *Handlers) renderLimits(c *gin.Context, status int, values map[string]string, problem string) error {
	v := opsLimitsPage{
		opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.limits"), limitsPath), Tenant: request.Tenant(c), Problem: problem,
	}
	caps, err := p.Tasks.Caps(c.Request.Context(), v.Tenant)
	if err != nil {
		return err
	}
	for _, name := range tasks.LimitNames {
		most, _ := caps.Field(name)
		text := ""
		if *most > 0 {
			text = limitText(name, *most)
		}
		v.Limits = append(v.Limits, newLimit(v.in, name, values[name], text))
	}
	var state tasks.TenantState
	if state, v.Work, v.Counted, err = p.tenantWork(c.Request.Context(), v.Tenant); err != nil {
		return err
	}
	v.Paused, v.Stopped = state.Paused, state.Stopped
	if v.Weight, err = p.Manage.Weight(c.Request.Context(), v.Tenant); err != nil {
		return err
	}
	return p.Render.Page(c, status, "ops_limits.html", v)
}

// countedLately is the greatest age of a count that is shown without its age.
const countedLately = 5 * time.Second

// countTime formats the time of a count. It returns nil if the count is younger than countedLately.
func (p *Handlers) countTime(at time.Time) *string {
	if p.Now().Sub(at) < countedLately {
		return nil
	}
	return textutil.Instant(at.UnixMilli())
}

// tenantWork returns the state of a tenant, its unfinished work, and the time at which the work was
// counted. The time is nil if the count is younger than countedLately.
func (p *Handlers) tenantWork(ctx context.Context, tenant string) (state tasks.TenantState, w tasks.TenantBacklog, at *string, err error) {
	work, err := p.Tasks.CountedTenant(ctx, tenant)
	if err != nil {
		return state, w, nil, err
	}
	state, err = p.Tasks.TenantState(ctx, tenant)
	return state, work.Value, p.countTime(work.At), err
}

// opsControlTenant serves POST /ops/limits/pause and /resume.
func (p *Handlers) opsControlTenant(c *gin.Context) error {
	tenant, act := request.Tenant(c), c.Param("act")
	_, w, _, err := p.tenantWork(c.Request.Context(), tenant)
	if err != nil {
		return err
	}
	if act != "pause" && act != "resume" {
		return problem.ErrNoPath
	}
	in := request.Printer(c)
	ask := opsAsk{Do: in.Text("ops.do.control."+act, "name", render.Shown(tenant)), Back: back(c, limitsPath), marked: limitsPath}
	ask.Title = ask.Do
	ask.Text = in.Text("ops.tenant.asks."+act, "n", w.Unfed, "tasks", w.Tasks, "queued", w.Queued)
	return p.confirm(c, ask, func() error {
		if err := p.Manage.PauseTenant(c.Request.Context(), tenant, act == "pause"); err != nil {
			return err
		}
		return p.Render.Done(c, ask.Back, act+"-tenant", 1, 1)
	})
}

// opsSetLimits serves POST /ops/limits.
func (p *Handlers) opsSetLimits(c *gin.Context) error {
	form, values := request.Form(c), map[string]string{}
	for _, name := range tasks.LimitNames {
		values[name] = strings.TrimSpace(form.Get(name))
	}
	l, err := formLimits(form, tasks.LimitNames[:])
	if err == nil {
		err = p.Manage.SetTenant(c.Request.Context(), request.Tenant(c), l, nil)
	}
	if prob := problem.OfClient(err); prob != nil {
		return p.renderLimits(c, prob.Status, values, limitWords(request.Printer(c), prob))
	}
	if err != nil {
		return err
	}
	return p.Render.Done(c, limitsPath, "limits", 1, 1)
}

// limitText returns the text of a limit in a form. The limit "bytes" is a size with a unit.
func limitText(name string, n int64) string {
	if name == "bytes" {
		return textutil.Size(n)
	}
	return strconv.FormatInt(n, 10)
}

// formLimits reads the limits in the fields of a form. It leaves out empty fields, and returns a problem
// for a text that is not a whole number.
func formLimits(form url.Values, fields []string) (tasks.Limits, error) {
	asked := map[string]json.Number{}
	for _, name := range fields {
		if text := strings.TrimSpace(form.Get(name)); text != "" {
			if name == "bytes" {
				text = textutil.SizeInBytes(text)
			}
			if _, err := strconv.ParseInt(text, 10, 64); err != nil {
				return tasks.Limits{}, manage.BadLimits("/"+name, name+" is a whole number.")
			}
			asked[name] = json.Number(text)
		}
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return tasks.Limits{}, manage.BadLimits("", "Limits are numbers.")
	}
	return manage.ParseLimits(text)
}

// limitWords returns the message about a form with invalid limits.
func limitWords(in locale.Printer, p *problem.Problem) string {
	for _, f := range p.Errors {
		name := strings.TrimPrefix(f.Pointer, "/")
		if p.Code == "LIMIT_ABOVE_ALLOWED" {
			most, _ := strconv.ParseInt(p.Args["n"], 10, 64) // no error: this service has formatted the number
			return in.Text("ops.limits.above", "limit", in.Text("ops.limit."+name), "n", limitText(name, most))
		}
		if name == "run_hours" {
			return in.Text("ops.tenants.hours.wrong")
		}
		if name == "weight" {
			return in.Text("ops.limits.wrong", "limit", in.Text("ops.tenants.weight"), "n", tasks.MaxWeight)
		}
		if name == "bytes" {
			return in.Text("ops.limits.wrong.size", "limit", in.Text("ops.limit.bytes"), "most", limitText(name, tasks.MaxQuota))
		}
		if at, most := new(tasks.Limits).Field(name); at != nil {
			return in.Text("ops.limits.wrong", "limit", in.Text("ops.limit."+name), "n", most)
		}
	}
	return in.Text("ops.limits.not_whole")
}
