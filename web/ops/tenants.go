package ops

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// tenantsDoor is the page of tenants, for the owner.
const tenantsDoor = "/ops/tenants"

// opsTenantsPage is the page of the tenants of the service, in order of name.
type opsTenantsPage struct {
	opsFrame
	Tenants []opsTenantRow
	First   bool   // the first page is shown
	More    string // where the list goes on, or ""
}

// opsTenantAt returns the address of a tenant's page.
func opsTenantAt(tenant string) string { return tenantsDoor + "/" + url.PathEscape(tenant) }

// opsTenants serves GET /ops/tenants.
func (p *Handlers) opsTenants(c *gin.Context) error {
	after := c.Query("after")
	list, err := p.Manage.TenantsByCaller(c.Request.Context()).List(c.Request.Context(), after, opsPage+1)
	if err != nil {
		return err
	}
	v := opsTenantsPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.tenants"), tenantsDoor), First: after == ""}
	if len(list) > opsPage {
		list = list[:opsPage]
		v.More = tenantsDoor + "?" + url.Values{"after": {list[opsPage-1].Name}}.Encode()
	}
	v.Tenants = view.All(list, func(t *operate.Tenant) opsTenantRow { return opsTenantRow{view.OfTenant(t)} })
	return p.Render.Page(c, http.StatusOK, "ops_tenants.html", v)
}

// opsTenantRow is a tenant of the list.
type opsTenantRow struct{ view.TenantUsage }

// At returns the address of the tenant's page.
func (v opsTenantRow) At() string { return opsTenantAt(v.Tenant) }

// ExportAt returns the address of the tenant's export.
func (v opsTenantRow) ExportAt() string {
	return "/api/v1/tenants/" + url.PathEscape(v.Tenant) + "/export"
}

// opsTenantPage is the page of one tenant: its use, its limits, and the acts of the owner on it.
type opsTenantPage struct {
	opsFrame
	Tenant  opsTenantRow
	Limits  []opsLimit
	Weight  string
	Problem string
}

// opsTenant serves GET /ops/tenants/{tenant}.
func (p *Handlers) opsTenant(c *gin.Context) error {
	return p.renderTenant(c, http.StatusOK, nil, "")
}

// renderTenant renders the page of a tenant. values holds the values of a rejected form; nil shows the
// stored limits.
func (p *Handlers) renderTenant(c *gin.Context, status int, values url.Values, problem string) error {
	name, err := p.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
	if err != nil {
		return err
	}
	t, err := p.Manage.TenantsByCaller(c.Request.Context()).Get(c.Request.Context(), name)
	if err != nil {
		return err
	}
	v := opsTenantPage{
		opsFrame: p.opsFrame(c, render.Shown(name), tenantsDoor), Tenant: opsTenantRow{view.OfTenant(&t)}, Problem: problem,
		Weight: strconv.FormatInt(view.WeightOf(t.Limits), 10),
	}
	for _, limit := range tasks.LimitNames {
		v.Limits = append(v.Limits, opsLimit{Name: limit, Value: capValue(&t, limit, values)})
	}
	if values != nil {
		v.Weight = values.Get("weight")
	}
	return p.Render.Page(c, status, "ops_tenant.html", v)
}

// capValue returns the value of a field of the form.
func capValue(t *operate.Tenant, limit string, values url.Values) string {
	if values != nil {
		return values.Get(limit)
	}
	if most, _ := t.Caps.Field(limit); *most > 0 {
		return strconv.FormatInt(*most, 10)
	}
	return ""
}

// opsSetTenant serves POST /ops/tenants/{tenant}.
func (p *Handlers) opsSetTenant(c *gin.Context) error {
	name, err := p.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
	if err != nil {
		return err
	}
	form := request.Form(c)
	l, err := formLimits(form, append(tasks.LimitNames[:], "weight"))
	if err == nil {
		err = p.Manage.SetLimits(c.Request.Context(), name, l)
	}
	if err == nil && l.Weight > 0 {
		err = p.Manage.SetWeight(c.Request.Context(), name, l.Weight)
	}
	if prob := problem.OfClient(err); prob != nil {
		return p.renderTenant(c, prob.Status, form, limitWords(request.Printer(c), prob))
	}
	if err != nil {
		return err
	}
	return p.Render.Done(c, opsTenantAt(name), "limits", 1, 1)
}

// opsTurnAnyTenant serves POST /ops/tenants/{tenant}/turn/pause, /resume and /remove.
func (p *Handlers) opsTurnAnyTenant(c *gin.Context) error {
	name, err := p.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
	if err != nil {
		return err
	}
	in, act := request.Printer(c), c.Param("act")
	ask := opsAsk{Back: opsTenantAt(name), door: tenantsDoor}
	do := func() error { return p.opsPauseAnyTenant(c, name, act) }
	switch act {
	case "pause", "resume":
		_, w, _, err := p.tenantWork(c.Request.Context(), name)
		if err != nil {
			return err
		}
		ask.Text = in.Text("ops.tenant.asks."+act, "n", w.Unfed, "tasks", w.Tasks, "queued", w.Queued)
	case "remove":
		ask.Text, do = in.Text("ops.tenant.asks.remove"), func() error { return p.opsRemoveTenant(c, name) }
		ask.Choice, ask.ChoiceText = "cancel", in.Text("ops.tenant.cancels")
	default:
		return problem.ErrNoPath
	}
	ask.Do = in.Text("ops.do.turn."+act, "name", render.Shown(name))
	ask.Title = ask.Do
	return p.confirmed(c, ask, do)
}

func (p *Handlers) opsPauseAnyTenant(c *gin.Context, name, act string) error {
	if err := p.Manage.PauseTenant(c.Request.Context(), name, act == "pause"); err != nil {
		return err
	}
	return p.Render.Done(c, opsTenantAt(name), act+"-tenant", 1, 1)
}

// opsRemoveTenant removes a tenant whose name the form confirms.
func (p *Handlers) opsRemoveTenant(c *gin.Context, name string) error {
	_, err := p.Manage.RemoveTenant(c.Request.Context(), c.Param("tenant"), request.Form(c).Get("confirm"), request.Form(c).Get("cancel") == "yes")
	if prob := problem.OfClient(err); prob != nil && prob.Status != http.StatusNotFound {
		return p.renderTenant(c, prob.Status, nil, prob.Localize(string(request.Printer(c))).Detail)
	}
	if err != nil {
		return err
	}
	return p.Render.Done(c, tenantsDoor, operate.ActRemove, 1, 1)
}
