package web

import (
	"slices"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/tasks"
)

// operatorRoutes are the pages of operators.
func (p *pages) operatorRoutes() []route {
	return slices.Concat(p.opsQueueRoutes(), p.opsTaskRoutes(), p.opsAccountRoutes(), p.opsKeyRoutes(), p.opsTenantRoutes())
}

// saidNames are the parameters of a page that tells what an act has done.
var saidNames = names{"said"}

// meantForm is a form that asks for an act, and once more when it is meant.
var meantForm = formBody("meant")

// opsQueueRoutes are the pages of queues and nodes.
func (p *pages) opsQueueRoutes() []route {
	const (
		queue = "/ops/queues/:queue"
		turn  = "/ops/queues/:queue/turn"
	)
	span, listed := names{"range", "said"}, names{"prefix", "by", "dir", "cursor", "said"}
	acts := formBody("act", "key", "all", "of", "meant").repeat("key")
	return []route{
		{get, "/ops", "opsHome", access.OpsRead, statsTimeout, span, noBody, p.opsHome},
		{get, queue, "opsQueue", access.OpsRead, statsTimeout, span, noBody, p.opsQueue},
		{get, queue + "/waiting", "opsWaiting", access.OpsRead, statsTimeout, listed, noBody, p.opsWaiting},
		{get, queue + "/busy", "opsBusy", access.OpsRead, statsTimeout, listed, noBody, p.opsBusy},
		{get, queue + "/morgue", "opsMorgue", access.OpsRead, statsTimeout, listed, noBody, p.opsMorgue},
		{get, queue + "/keys", "opsHotKeys", access.OpsRead, statsTimeout, saidNames, noBody, p.opsHot},
		{post, queue + "/acts", "opsActOnKeys", access.OpsWrite, pressTimeout, noQuery, acts, p.opsActOnKeys},
		{post, turn + "/pause", "opsPauseQueue", access.ServiceWrite, pressTimeout, noQuery, meantForm, p.opsTurnQueue("pause")},
		{post, turn + "/resume", "opsResumeQueue", access.ServiceWrite, pressTimeout, noQuery, meantForm, p.opsTurnQueue("resume")},
		{post, turn + "/reshard", "opsReshardQueue", access.ServiceWrite, pressTimeout, noQuery, formBody("shards", "meant"), p.opsTurnQueue("reshard")},
		{get, "/ops/nodes", "opsNodes", access.ServiceRead, statsTimeout, saidNames, noBody, p.opsNodes},
		{post, "/ops/nodes/:node/:act", "opsTurnNode", access.ServiceWrite, pressTimeout, noQuery, meantForm, p.opsTurnNode},
	}
}

// opsTaskRoutes are the pages of tasks, rows and schedules.
func (p *pages) opsTaskRoutes() []route {
	search := names{"status", "kind", "label", "by", "from", "until", "q", "limit", "cursor", "said"}
	plan := formBody("name", "cron", "time_zone", "catch_up", "request")
	return []route{
		{get, tasksDoor, "opsTasks", access.OpsRead, readTimeout, search, noBody, p.opsTasks},
		{get, rowsDoor, "opsFindRow", access.OpsRead, readTimeout, names{"id", "said"}, noBody, p.opsFindRow},
		{get, rowsDoor + "/:id", "opsRow", access.OpsRead, readTimeout, saidNames, noBody, p.opsRow},
		{get, plansDoor, "opsSchedules", access.OpsRead, readTimeout, saidNames, noBody, p.opsPlans},
		{post, plansDoor, "opsMakeSchedule", access.OpsWrite, pressTimeout, noQuery, plan, p.opsMakePlan},
		{post, plansDoor + "/:id/:act", "opsTurnSchedule", access.OpsWrite, pressTimeout, noQuery, formBody("meant", "seen"), p.forSchedule(p.opsTurnPlan)},
	}
}

// opsAccountRoutes are the pages of what the tenant has here beside queues.
func (p *pages) opsAccountRoutes() []route {
	const again = "/:id/deliveries/:delivery/replay"
	listed, hook := append(names{"said"}, pageNames...), formBody("url", "topic").repeat("topic")
	return []route{
		{get, hooksDoor, "opsWebhooks", access.OpsRead, readTimeout, saidNames, noBody, p.opsWebhooks},
		{post, hooksDoor, "opsMakeWebhook", access.OpsWrite, readTimeout, noQuery, hook, p.opsMakeWebhook},
		{get, hooksDoor + "/:id", "opsDeliveries", access.OpsRead, readTimeout, listed, noBody, p.forWebhook(p.opsDeliveries)},
		{post, hooksDoor + "/:id/delete", "opsDeleteWebhook", access.OpsWrite, readTimeout, noQuery, meantForm, p.forWebhook(p.opsDeleteWebhook)},
		{post, hooksDoor + again, "opsReplay", access.OpsWrite, readTimeout, noQuery, noBody, p.forWebhook(p.opsReplay)},
		{get, auditDoor, "opsAudit", access.OpsRead, readTimeout, listed, noBody, p.opsAudit},
		{get, limitsDoor, "opsLimits", access.OpsRead, readTimeout, saidNames, noBody, p.opsLimits},
		{post, limitsDoor, "opsSetLimits", access.OpsWrite, readTimeout, noQuery, formBody(tasks.LimitNames[:]...), p.opsSetLimits},
		{post, limitsDoor + "/:act", "opsTurnTenant", access.OpsWrite, readTimeout, noQuery, meantForm, p.opsTurnTenant},
	}
}

// opsKeyRoutes are the pages of API keys; none where no credential is asked for.
func (p *pages) opsKeyRoutes() []route {
	if p.opt.Access == nil {
		return nil
	}
	listed, key := append(names{"said", "tenant"}, pageNames...), formBody("name", "role", "days")
	return []route{
		{get, keysDoor, "opsAccess", access.KeysAdmin, readTimeout, listed, noBody, p.opsAccess},
		{post, keysDoor, "opsMakeKey", access.KeysAdmin, readTimeout, noQuery, key, p.opsMakeKey},
		{get, keysDoor + "/:id", "opsKeyAudit", access.KeysAdmin, readTimeout, saidNames, noBody, p.forKey(p.opsKeyAudit)},
		{post, keysDoor + "/:id/:act", "opsTurnKey", access.KeysAdmin, readTimeout, noQuery, formBody("meant", "made"), p.forKey(p.opsTurnKey)},
	}
}

// opsTenantRoutes are the pages of tenants, for the owner.
func (p *pages) opsTenantRoutes() []route {
	const tenant = tenantsDoor + "/:tenant"
	limits := formBody(append(tasks.LimitNames[:], "weight")...)
	return []route{
		{get, tenantsDoor, "opsTenants", access.ServiceRead, statsTimeout, names{"after", "said"}, noBody, p.opsTenants},
		{get, tenant, "opsTenant", access.ServiceRead, statsTimeout, saidNames, noBody, p.opsTenant},
		{post, tenant, "opsSetTenant", access.ServiceWrite, readTimeout, noQuery, limits, p.opsSetTenant},
		{post, tenant + "/turn/:act", "opsTurnAnyTenant", access.ServiceWrite, unbounded, noQuery, formBody("confirm", "cancel", "meant"), p.opsTurnAnyTenant},
	}
}
