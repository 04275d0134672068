package ops

import (
	"slices"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/route"
)

// Routes returns the routes of the pages of operators.
func (p *Handlers) Routes() []route.Route {
	return slices.Concat(p.opsQueueRoutes(), p.opsTaskRoutes(), p.opsAccountRoutes(), p.opsKeyRoutes(), p.opsTenantRoutes())
}

// outcomeParams are the parameters of a page whose only parameter is the outcome of the last act.
var outcomeParams = input.Names{"said"}

// meantForm declares the form of an act that needs a confirmation. The form may also contain the path of
// the next page and a reason.
var meantForm = input.PageForm("meant", "to", "note")

func (p *Handlers) opsQueueRoutes() []route.Route {
	const (
		queue   = "/ops/queues/:queue"
		control = "/ops/queues/:queue/control"
	)
	span, listed := input.Names{"range", "said"}, input.Names{"prefix", "by", "dir", "cursor", "said"}
	acts := input.PageForm("act", "key", "all", "of", "meant", "to").Repeat("key")
	return []route.Route{
		route.New(route.Get, "/ops", "opsHome", access.OpsRead, route.StatsTimeout, span, input.NoBody, p.opsHome),
		route.New(route.Get, queue, "opsQueue", access.OpsRead, route.StatsTimeout, span, input.NoBody, p.opsQueue),
		route.New(route.Get, queue+"/waiting", "opsWaiting", access.OpsRead, route.StatsTimeout, listed, input.NoBody, p.opsWaiting),
		route.New(route.Get, queue+"/busy", "opsBusy", access.OpsRead, route.StatsTimeout, listed, input.NoBody, p.opsBusy),
		route.New(route.Get, queue+"/morgue", "opsMorgue", access.OpsRead, route.StatsTimeout, listed, input.NoBody, p.opsMorgue),
		route.New(route.Get, queue+"/keys", "opsHotKeys", access.OpsRead, route.StatsTimeout, outcomeParams, input.NoBody, p.opsHot),
		route.New(route.Post, queue+"/acts", "opsActOnKeys", access.OpsWrite, route.BulkTimeout, input.NoQuery, acts, p.opsActOnKeys),
		route.New(route.Post, control+"/pause", "opsPauseQueue", access.ServiceWrite, route.BulkTimeout, input.NoQuery, meantForm, p.opsControlQueue("pause")),
		route.New(route.Post, control+"/resume", "opsResumeQueue", access.ServiceWrite, route.BulkTimeout, input.NoQuery, meantForm, p.opsControlQueue("resume")),
		route.New(route.Post, control+"/reshard", "opsReshardQueue", access.ServiceWrite, route.BulkTimeout, input.NoQuery, input.PageForm("shards", "meant"), p.opsControlQueue("reshard")),
		route.New(route.Get, "/ops/nodes", "opsNodes", access.ServiceRead, route.StatsTimeout, outcomeParams, input.NoBody, p.opsNodes),
		route.New(route.Post, "/ops/nodes/:node/:act", "opsControlNode", access.ServiceWrite, route.BulkTimeout, input.NoQuery, meantForm, p.opsControlNode),
	}
}

func (p *Handlers) opsTaskRoutes() []route.Route {
	search := input.Names{"status", "kind", "label", "by", "from", "until", "q", "limit", "cursor", "said"}
	plan := input.PageForm("name", "cron", "time_zone", "catch_up", "request")
	return []route.Route{
		route.New(route.Get, tasksPath, "opsTasks", access.OpsRead, route.ReadTimeout, search, input.NoBody, p.opsTasks),
		route.New(route.Get, rowsPath, "opsFind", access.OpsRead, route.StatsTimeout, input.Names{"q", "cursor", "said"}, input.NoBody, p.opsFind),
		route.New(route.Get, rowsPath+"/:id", "opsRow", access.OpsRead, route.ReadTimeout, outcomeParams, input.NoBody, p.opsRow),
		route.New(route.Post, rowsPath+"/:id/run", "opsRunRow", access.OpsWrite, route.BulkTimeout, input.NoQuery, meantForm, p.opsRunRow),
		route.New(route.Get, errorsPath, "opsErrors", access.OpsRead, route.StatsTimeout, outcomeParams, input.NoBody, p.opsErrors),
		route.New(route.Get, errorsPath+"/:kind/:print", "opsError", access.OpsRead, route.StatsTimeout, input.Names{"cursor", "said"}, input.NoBody, p.opsError),
		route.New(route.Post, errorsPath+"/:kind/:print/:act", "opsControlError", access.OpsWrite, route.Unbounded, input.NoQuery, meantForm, p.opsControlError),
		route.New(route.Get, plansPath, "opsSchedules", access.OpsRead, route.ReadTimeout, input.Names{"cursor", "said"}, input.NoBody, p.opsPlans),
		route.New(route.Post, plansPath, "opsMakeSchedule", access.OpsWrite, route.BulkTimeout, input.NoQuery, plan, p.opsMakePlan),
		route.New(route.Post, plansPath+"/:id/:act", "opsControlSchedule", access.OpsWrite, route.BulkTimeout, input.NoQuery, input.PageForm("meant", "seen", "cursor"), p.Find.ForSchedule(p.opsControlPlan)),
	}
}

// opsAccountRoutes returns the routes of the pages of the tenant's limits, audit log and webhooks.
func (p *Handlers) opsAccountRoutes() []route.Route {
	const again = "/:id/deliveries/:delivery/replay"
	listed, hook := append(input.Names{"said"}, route.PageNames...), input.PageForm("url", "topic").Repeat("topic")
	return []route.Route{
		route.New(route.Get, hooksPath, "opsWebhooks", access.OpsRead, route.ReadTimeout, outcomeParams, input.NoBody, p.opsWebhooks),
		route.New(route.Post, hooksPath, "opsMakeWebhook", access.OpsWrite, route.ReadTimeout, input.NoQuery, hook, p.opsMakeWebhook),
		route.New(route.Get, hooksPath+"/:id", "opsDeliveries", access.OpsRead, route.ReadTimeout, listed, input.NoBody, p.Find.ForWebhook(p.opsDeliveries)),
		route.New(route.Post, hooksPath+"/:id/delete", "opsDeleteWebhook", access.OpsWrite, route.ReadTimeout, input.NoQuery, meantForm, p.Find.ForWebhook(p.opsDeleteWebhook)),
		route.New(route.Post, hooksPath+again, "opsReplay", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.PageForm("cursor"), p.Find.ForWebhook(p.opsReplay)),
		route.New(route.Get, auditPath, "opsAudit", access.OpsRead, route.ReadTimeout, listed, input.NoBody, p.opsAudit),
		route.New(route.Get, limitsPath, "opsLimits", access.OpsRead, route.ReadTimeout, outcomeParams, input.NoBody, p.opsLimits),
		route.New(route.Post, limitsPath, "opsSetLimits", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.PageForm(tasks.LimitNames[:]...), p.opsSetLimits),
		route.New(route.Post, limitsPath+"/:act", "opsControlTenant", access.OpsWrite, route.ReadTimeout, input.NoQuery, meantForm, p.opsControlTenant),
	}
}

// opsKeyRoutes returns the routes of the pages of API keys. Without authentication, there are no such
// routes.
func (p *Handlers) opsKeyRoutes() []route.Route {
	if p.Access == nil {
		return nil
	}
	listed, key := append(input.Names{"said", "tenant"}, route.PageNames...), input.PageForm("name", "role", "days")
	return []route.Route{
		route.New(route.Get, keysPath, "opsAccess", access.KeysAdmin, route.ReadTimeout, listed, input.NoBody, p.opsAccess),
		route.New(route.Post, keysPath, "opsMakeKey", access.KeysAdmin, route.ReadTimeout, input.NoQuery, key, p.opsMakeKey),
		route.New(route.Get, keysPath+"/:id", "opsKeyAudit", access.KeysAdmin, route.ReadTimeout, outcomeParams, input.NoBody, p.Find.ForKey(p.opsKeyAudit)),
		route.New(route.Post, keysPath+"/:id/:act", "opsControlKey", access.KeysAdmin, route.ReadTimeout, input.NoQuery, input.PageForm("meant", "made", "cursor", "tenant"), p.Find.ForKey(p.opsControlKey)),
	}
}

// opsTenantRoutes returns the routes of the pages on which the owner of the service manages tenants.
func (p *Handlers) opsTenantRoutes() []route.Route {
	const tenant = tenantsPath + "/:tenant"
	limits := input.PageForm(append(tasks.LimitNames[:], "weight", "run_hours")...)
	return []route.Route{
		route.New(route.Get, tenantsPath, "opsTenants", access.ServiceRead, route.StatsTimeout, input.Names{"after", "said"}, input.NoBody, p.opsTenants),
		route.New(route.Get, tenant, "opsTenant", access.ServiceRead, route.StatsTimeout, outcomeParams, input.NoBody, p.opsTenant),
		route.New(route.Post, tenant, "opsSetTenant", access.ServiceWrite, route.ReadTimeout, input.NoQuery, limits, p.opsSetTenant),
		route.New(route.Post, tenant+"/control/:act", "opsControlAnyTenant", access.ServiceWrite, route.Unbounded, input.NoQuery, input.PageForm("confirm", "cancel", "meant"), p.opsControlAnyTenant),
	}
}
