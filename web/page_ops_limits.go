package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
)

// limitsDoor is the page of limits.
const limitsDoor = "/ops/limits"

// opsLimitsPage is what the tenant of an operator may use.
type opsLimitsPage struct {
	opsFrame
	Tenant  string
	Limits  []opsLimit
	Problem string
	Paused  bool
	Work    tenantWork
}

// tenantWork is what a tenant has to do.
type tenantWork struct {
	Tasks  int64 // that are not done and may run
	Unfed  int64 // rows that are not in Redis
	Queued int64 // rows that are, or run
}

// opsLimit is one limit, as a field of a form.
type opsLimit struct {
	Name, Words, About string
	Value              string // "" for none
}

// opsLimitFields are the limits there are, without values.
func opsLimitFields() []opsLimit {
	return []opsLimit{
		{Name: "slots", Words: "Jobs at once", About: "in Redis or running, over all kinds"},
		{Name: "window", Words: "Jobs of a kind in Redis", About: "none: the service’s own window"},
		{Name: "rate", Words: "Requests a minute", About: "of one key; none: the service’s own number"},
		{Name: "tasks", Words: "Tasks that are not done", About: "more are refused"},
		{Name: "rows", Words: "Rows that are not done", About: "more are refused"},
		{Name: "bytes", Words: "Bytes of uploads kept", About: "more are refused"},
	}
}

// opsLimits serves GET /ops/limits.
func (p *pages) opsLimits(c *gin.Context) error {
	l, err := p.opt.Tasks.Limits(c.Request.Context(), p.tenant(c))
	if err != nil {
		return err
	}
	values := map[string]string{}
	own := limitFields(l)
	for _, f := range opsLimitFields() {
		if at, _ := own.field(f.Name); *at > 0 {
			values[f.Name] = strconv.FormatInt(*at, 10)
		}
	}
	return p.renderLimits(c, http.StatusOK, values, "")
}

func (p *pages) renderLimits(c *gin.Context, status int, values map[string]string, problem string) error {
	v := opsLimitsPage{
		opsFrame: p.opsFrame(c, "Limits", limitsDoor), Tenant: p.tenant(c), Problem: problem,
		Limits: opsLimitFields(),
	}
	for i := range v.Limits {
		v.Limits[i].Value = values[v.Limits[i].Name]
	}
	var err error
	if v.Paused, v.Work, err = p.tenantWork(c.Request.Context(), v.Tenant); err != nil {
		return err
	}
	return p.render(c, status, "ops_limits.html", v)
}

// tenantWork tells whether a tenant is paused, and what there is to do.
func (p *pages) tenantWork(ctx context.Context, tenant string) (paused bool, w tenantWork, err error) {
	feeds, err := p.opt.Tasks.Feeds(ctx)
	if err != nil {
		return false, w, err
	}
	for _, f := range feeds {
		if f.Tenant == tenant {
			w.Tasks++
			w.Unfed += max(f.Unfed+f.Back, 0)
			w.Queued += max(f.InRedis, 0)
		}
	}
	paused, err = p.opt.Tasks.TenantPaused(ctx, tenant)
	return paused, w, err
}

// opsTurnTenant serves POST /ops/limits/pause and /resume.
func (p *pages) opsTurnTenant(c *gin.Context) error {
	form, err := p.shortForm(c)
	if err != nil {
		return err
	}
	tenant, act := p.tenant(c), c.Param("act")
	_, w, err := p.tenantWork(c.Request.Context(), tenant)
	if err != nil {
		return err
	}
	ask := opsAsk{opsFrame: p.opsFrame(c, "", limitsDoor), Back: limitsDoor}
	switch act {
	case "pause":
		ask.Title, ask.Do = "Pause "+shown(tenant), "Pause it"
		ask.Text = fmt.Sprintf("Nothing more of the tenant is started: %d rows of %d tasks wait. What is in Redis or runs ends (%d). "+
			"Files go on being taken and read.", w.Unfed, w.Tasks, w.Queued)
	case "resume":
		ask.Title, ask.Do = "Resume "+shown(tenant), "Resume it"
		ask.Text = fmt.Sprintf("%d rows of %d tasks wait. Tasks that are paused themselves stay so.", w.Unfed, w.Tasks)
	default:
		return errNoPath
	}
	if yes, err := p.meant(c, form, ask); !yes {
		return err
	}
	if err := p.pauseTenant(c, tenant, act == "pause"); err != nil {
		return err
	}
	return p.done(c, limitsDoor, act+"-tenant", 1, 1)
}

// opsSetLimits serves POST /ops/limits.
func (p *pages) opsSetLimits(c *gin.Context) error {
	form, err := p.shortForm(c)
	if err != nil {
		return err
	}
	asked, values := map[string]json.Number{}, map[string]string{}
	for _, f := range opsLimitFields() {
		if text := strings.TrimSpace(form.Get(f.Name)); text != "" {
			values[f.Name], asked[f.Name] = text, json.Number(text)
		}
	}
	text, err := json.Marshal(asked)
	var l tasks.Limits
	if err == nil {
		l, err = parseLimits(text)
	} else {
		err = badLimits("", "Limits are whole numbers; leave a field empty for no limit.")
	}
	if prob, known := problemOf(err); err != nil && known {
		return p.renderLimits(c, prob.Status, values, prob.Detail)
	}
	if err := p.setLimits(c, p.tenant(c), l); err != nil {
		return err
	}
	return p.done(c, limitsDoor, "limits", 1, 1)
}
