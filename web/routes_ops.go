package web

import (
	"slices"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
)

// operatorRoutes are the pages of operators.
func (p *pages) operatorRoutes() []route {
	return slices.Concat(p.opsQueueRoutes(), p.opsTaskRoutes(), p.opsAccountRoutes(), p.opsKeyRoutes(), p.opsTenantRoutes())
}

// saidNames are the parameters of a page that tells what an act has done.
var saidNames = input.Names{"said"}

// meantForm is a form that asks for an act, and once more when it is meant.
var meantForm = input.PageForm("meant")

// opsQueueRoutes are the pages of queues and nodes.
func (p *pages) opsQueueRoutes() []route {
	const (
		queue = "/ops/queues/:queue"
		turn  = "/ops/queues/:queue/turn"
	)
	span, listed := input.Names{"range", "said"}, input.Names{"prefix", "by", "dir", "cursor", "said"}
	acts := input.PageForm("act", "key", "all", "of", "meant").Repeat("key")
	return []route{
		{get, "/ops", "opsHome", access.OpsRead, statsTimeout, span, input.NoBody, p.opsHome},
		{get, queue, "opsQueue", access.OpsRead, statsTimeout, span, input.NoBody, p.opsQueue},
		{get, queue + "/waiting", "opsWaiting", access.OpsRead, statsTimeout, listed, input.NoBody, p.opsWaiting},
		{get, queue + "/busy", "opsBusy", access.OpsRead, statsTimeout, listed, input.NoBody, p.opsBusy},
		{get, queue + "/morgue", "opsMorgue", access.OpsRead, statsTimeout, listed, input.NoBody, p.opsMorgue},
		{get, queue + "/keys", "opsHotKeys", access.OpsRead, statsTimeout, saidNames, input.NoBody, p.opsHot},
		{post, queue + "/acts", "opsActOnKeys", access.OpsWrite, pressTimeout, input.NoQuery, acts, p.opsActOnKeys},
		{post, turn + "/pause", "opsPauseQueue", access.ServiceWrite, pressTimeout, input.NoQuery, meantForm, p.opsTurnQueue("pause")},
		{post, turn + "/resume", "opsResumeQueue", access.ServiceWrite, pressTimeout, input.NoQuery, meantForm, p.opsTurnQueue("resume")},
		{post, turn + "/reshard", "opsReshardQueue", access.ServiceWrite, pressTimeout, input.NoQuery, input.PageForm("shards", "meant"), p.opsTurnQueue("reshard")},
		{get, "/ops/nodes", "opsNodes", access.ServiceRead, statsTimeout, saidNames, input.NoBody, p.opsNodes},
		{post, "/ops/nodes/:node/:act", "opsTurnNode", access.ServiceWrite, pressTimeout, input.NoQuery, meantForm, p.opsTurnNode},
	}
}

// opsTaskRoutes are the pages of tasks, rows and schedules.
func (p *pages) opsTaskRoutes() []route {
	search := input.Names{"status", "kind", "label", "by", "from", "until", "q", "limit", "cursor", "said"}
	plan := input.PageForm("name", "cron", "time_zone", "catch_up", "request")
	return []route{
		{get, tasksDoor, "opsTasks", access.OpsRead, readTimeout, search, input.NoBody, p.opsTasks},
		{get, rowsDoor, "opsFindRow", access.OpsRead, readTimeout, input.Names{"id", "said"}, input.NoBody, p.opsFindRow},
		{get, rowsDoor + "/:id", "opsRow", access.OpsRead, readTimeout, saidNames, input.NoBody, p.opsRow},
		{get, plansDoor, "opsSchedules", access.OpsRead, readTimeout, saidNames, input.NoBody, p.opsPlans},
		{post, plansDoor, "opsMakeSchedule", access.OpsWrite, pressTimeout, input.NoQuery, plan, p.opsMakePlan},
		{post, plansDoor + "/:id/:act", "opsTurnSchedule", access.OpsWrite, pressTimeout, input.NoQuery, input.PageForm("meant", "seen"), p.forSchedule(p.opsTurnPlan)},
	}
}

// opsAccountRoutes are the pages of what the tenant has here beside queues.
func (p *pages) opsAccountRoutes() []route {
	const again = "/:id/deliveries/:delivery/replay"
	listed, hook := append(input.Names{"said"}, pageNames...), input.PageForm("url", "topic").Repeat("topic")
	return []route{
		{get, hooksDoor, "opsWebhooks", access.OpsRead, readTimeout, saidNames, input.NoBody, p.opsWebhooks},
		{post, hooksDoor, "opsMakeWebhook", access.OpsWrite, readTimeout, input.NoQuery, hook, p.opsMakeWebhook},
		{get, hooksDoor + "/:id", "opsDeliveries", access.OpsRead, readTimeout, listed, input.NoBody, p.forWebhook(p.opsDeliveries)},
		{post, hooksDoor + "/:id/delete", "opsDeleteWebhook", access.OpsWrite, readTimeout, input.NoQuery, meantForm, p.forWebhook(p.opsDeleteWebhook)},
		{post, hooksDoor + again, "opsReplay", access.OpsWrite, readTimeout, input.NoQuery, input.NoBody, p.forWebhook(p.opsReplay)},
		{get, auditDoor, "opsAudit", access.OpsRead, readTimeout, listed, input.NoBody, p.opsAudit},
		{get, limitsDoor, "opsLimits", access.OpsRead, readTimeout, saidNames, input.NoBody, p.opsLimits},
		{post, limitsDoor, "opsSetLimits", access.OpsWrite, readTimeout, input.NoQuery, input.PageForm(tasks.LimitNames[:]...), p.opsSetLimits},
		{post, limitsDoor + "/:act", "opsTurnTenant", access.OpsWrite, readTimeout, input.NoQuery, meantForm, p.opsTurnTenant},
	}
}

// opsKeyRoutes are the pages of API keys; none where no credential is asked for.
func (p *pages) opsKeyRoutes() []route {
	if p.opt.Access == nil {
		return nil
	}
	listed, key := append(input.Names{"said", "tenant"}, pageNames...), input.PageForm("name", "role", "days")
	return []route{
		{get, keysDoor, "opsAccess", access.KeysAdmin, readTimeout, listed, input.NoBody, p.opsAccess},
		{post, keysDoor, "opsMakeKey", access.KeysAdmin, readTimeout, input.NoQuery, key, p.opsMakeKey},
		{get, keysDoor + "/:id", "opsKeyAudit", access.KeysAdmin, readTimeout, saidNames, input.NoBody, p.forKey(p.opsKeyAudit)},
		{post, keysDoor + "/:id/:act", "opsTurnKey", access.KeysAdmin, readTimeout, input.NoQuery, input.PageForm("meant", "made"), p.forKey(p.opsTurnKey)},
	}
}

// opsTenantRoutes are the pages of tenants, for the owner.
func (p *pages) opsTenantRoutes() []route {
	const tenant = tenantsDoor + "/:tenant"
	limits := input.PageForm(append(tasks.LimitNames[:], "weight")...)
	return []route{
		{get, tenantsDoor, "opsTenants", access.ServiceRead, statsTimeout, input.Names{"after", "said"}, input.NoBody, p.opsTenants},
		{get, tenant, "opsTenant", access.ServiceRead, statsTimeout, saidNames, input.NoBody, p.opsTenant},
		{post, tenant, "opsSetTenant", access.ServiceWrite, readTimeout, input.NoQuery, limits, p.opsSetTenant},
		{post, tenant + "/turn/:act", "opsTurnAnyTenant", access.ServiceWrite, unbounded, input.NoQuery, input.PageForm("confirm", "cancel", "meant"), p.opsTurnAnyTenant},
	}
}
