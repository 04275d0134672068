package ops

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

const tenantsPath = "/ops/tenants"

// opsTenantsPage holds the data of the page of tenants. The tenants are sorted by name.
type opsTenantsPage struct {
	opsFrame
	Tenants []opsTenantRow
	First   bool   // the first page is shown
	More    string // address of the next page; "" on the last page
}

func opsTenantAt(tenant string) string { return tenantsPath + "/" + url.PathEscape(tenant) }

// opsTenants serves GET /ops/tenants.
func (p *Handlers) opsTenants(c *gin.Context) error {
	after := c.Query("after")
	list, err := p.Manage.TenantsByCaller(c.Request.Context()).List(c.Request.Context(), after, opsPage+1)
	if err != nil {
		return err
	}
	v := opsTenantsPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.tenants"), tenantsPath), First: after == ""}
	if len(list) > opsPage {
		list = list[:opsPage]
		v.More = tenantsPath + "?" + url.Values{"after": {list[opsPage-1].Name}}.Encode()
	}
	v.Tenants = view.All(list, func(t *operate.Tenant) opsTenantRow { return opsTenantRow{view.OfTenant(t)} })
	return p.Render.Page(c, http.StatusOK, "ops_tenants.html", v)
}

type opsTenantRow struct{ view.TenantUsage }

// At returns the path of the tenant's page.
func (v opsTenantRow) At() string { return opsTenantAt(v.Tenant) }

// ExportAt returns the path of the tenant's export.
func (v opsTenantRow) ExportAt() string {
	return "/api/v1/tenants/" + url.PathEscape(v.Tenant) + "/export"
}

// opsTenantPage holds the data of the page of one tenant, for the owner.
type opsTenantPage struct {
	opsFrame
	Tenant  opsTenantRow
	Limits  []opsLimit
	Weight  string
	Hours   string
	Problem string
}

// opsTenant serves GET /ops/tenants/{tenant}.
func (p *Handlers) opsTenant(c *gin.Context) error {
	return p.renderTenant(c, http.StatusOK, nil, "")
}

// renderTenant answers with the page of a tenant. The argument `values` holds the values of a rejected
// form. If it is nil, the page shows the stored limits.
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
		opsFrame: p.opsFrame(c, render.Shown(name), tenantsPath), Tenant: opsTenantRow{view.OfTenant(&t)}, Problem: problem,
		Weight: strconv.FormatInt(view.WeightOf(t.Limits), 10), Hours: t.Limits.Hours,
	}
	for _, limit := range tasks.LimitNames {
		v.Limits = append(v.Limits, newLimit(v.in, limit, capValue(&t, limit, values), ""))
	}
	if values != nil {
		v.Weight, v.Hours = values.Get("weight"), values.Get("run_hours")
	}
	return p.Render.Page(c, status, "ops_tenant.html", v)
}

// capValue returns the value of one limit in the form; "" for no limit. The argument `values` holds the
// values of a rejected form; nil for none.
func capValue(t *operate.Tenant, limit string, values url.Values) string {
	if values != nil {
		return values.Get(limit)
	}
	if most, _ := t.Caps.Field(limit); *most > 0 {
		return limitText(limit, *most)
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
	var hours *string
	if form.Has("run_hours") {
		text := strings.TrimSpace(form.Get("run_hours"))
		hours = &text
	}
	if err == nil && hours != nil {
		err = manage.CheckHours(*hours)
	}
	if err == nil {
		err = p.Manage.SetTenant(c.Request.Context(), name, l, hours)
	}
	if prob := problem.OfClient(err); prob != nil {
		return p.renderTenant(c, prob.Status, form, limitWords(request.Printer(c), prob))
	}
	if err != nil {
		return err
	}
	return p.Render.Done(c, opsTenantAt(name), "limits", 1, 1)
}

// opsControlAnyTenant serves POST /ops/tenants/{tenant}/control/pause, /resume and /remove.
func (p *Handlers) opsControlAnyTenant(c *gin.Context) error {
	name, err := p.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
	if err != nil {
		return err
	}
	in, act := request.Printer(c), c.Param("act")
	ask := opsAsk{Back: opsTenantAt(name), marked: tenantsPath}
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
	ask.Do = in.Text("ops.do.control."+act, "name", render.Shown(name))
	ask.Title = ask.Do
	return p.confirm(c, ask, do)
}

func (p *Handlers) opsPauseAnyTenant(c *gin.Context, name, act string) error {
	if err := p.Manage.PauseTenant(c.Request.Context(), name, act == "pause"); err != nil {
		return err
	}
	return p.Render.Done(c, opsTenantAt(name), act+"-tenant", 1, 1)
}

// opsRemoveTenant removes a tenant if the form confirms its name.
func (p *Handlers) opsRemoveTenant(c *gin.Context, name string) error {
	_, err := p.Manage.RemoveTenant(c.Request.Context(), name, request.Form(c).Get("confirm"), request.Form(c).Get("cancel") == "yes")
	if prob := problem.OfClient(err); prob != nil && prob.Status != http.StatusNotFound {
		return p.renderTenant(c, prob.Status, nil, prob.Localize(string(request.Printer(c))).Detail)
	}
	if err != nil {
		return err
	}
	return p.Render.Done(c, tenantsPath, operate.ActRemove, 1, 1)
}
