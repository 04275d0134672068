package web

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/input"
)

// queueRoutes are the routes of queues, nodes, limits and the audit of operators.
func (s *Server) queueRoutes() []route {
	const (
		queue  = "/api/v1/queues/:queue"
		node   = "/api/v1/nodes/:node"
		all    = "/api/v1/tenants"
		tenant = "/api/v1/tenants/:tenant"
		limits = "/api/v1/tenants/:tenant/limits"
	)
	ordered, keys := input.Names{"limit", "cursor", "by", "dir"}, input.JSON[keysRequest]().OrNone()
	act := func(path, name string, taken input.Body, serve handler) route {
		return route{post, path, name, access.OpsWrite, pressTimeout, input.NoQuery, taken, serve}
	}
	actOnAll := func(path, name string, taken input.Body, serve handler) route {
		return route{post, path, name, access.ServiceWrite, pressTimeout, input.NoQuery, taken, serve}
	}
	return []route{
		{get, "/api/v1/stats", "getStats", access.ServiceRead, statsTimeout, input.NoQuery, input.NoBody, s.getStats},
		{get, "/api/v1/queues", "listQueues", access.OpsRead, statsTimeout, input.NoQuery, input.NoBody, s.listQueues},
		{get, queue, "getQueue", access.OpsRead, statsTimeout, input.NoQuery, input.NoBody, s.getQueue},
		{get, queue + "/jobs", "listQueueJobs", access.OpsRead, statsTimeout, ordered, input.NoBody, s.listWaiting},
		{get, queue + "/morgue", "listMorgue", access.OpsRead, statsTimeout, append(input.Names{"tenant"}, ordered...), input.NoBody, s.listMorgue},
		{get, queue + "/busy", "listBusyJobs", access.OpsRead, statsTimeout, input.Names{"limit"}, input.NoBody, s.listBusy},
		{get, queue + "/shards", "listShards", access.ServiceRead, statsTimeout, input.NoQuery, input.NoBody, s.listShards},
		{get, queue + "/keys", "listHotKeys", access.OpsRead, statsTimeout, input.Names{"top"}, input.NoBody, s.listHotKeys},
		{get, "/api/v1/nodes", "listNodes", access.ServiceRead, statsTimeout, input.NoQuery, input.NoBody, s.listNodes},
		{get, auditExport, "exportAudit", access.KeysAdmin, unbounded, input.Names{"format", "at_gte", "at_lt"}, input.NoBody, s.exportAudit},
		{get, "/api/v1/audit", "listAudit", access.OpsRead, readTimeout, pageNames, input.NoBody, s.listAudit},
		{get, limits, "getLimits", access.OpsRead, readTimeout, input.NoQuery, input.NoBody, s.getLimits},
		{get, all, "listTenants", access.ServiceRead, statsTimeout, pageNames, input.NoBody, s.listTenants},
		{get, tenant + "/export", "exportTenant", access.ServiceRead, unbounded, input.NoQuery, input.NoBody, s.exportTenant},
		{del, tenant, "removeTenant", access.ServiceWrite, unbounded, input.Names{"confirm", "cancel"}, input.NoBody, s.removeTenant},
		act(tenant+"/pause", "pauseTenant", input.NoBody, s.turnTenant(true)),
		act(tenant+"/resume", "resumeTenant", input.NoBody, s.turnTenant(false)),
		{put, limits, "putLimits", access.OpsWrite, readTimeout, input.NoQuery, input.JSON[limitsRequest](), s.putLimits},

		actOnAll(queue+"/pause", "pauseQueue", input.NoBody, s.pauseQueue(true)),
		actOnAll(queue+"/resume", "resumeQueue", input.NoBody, s.pauseQueue(false)),
		actOnAll(queue+"/reshard", "reshardQueue", input.JSON[reshardRequest](), s.reshardQueue),
		actOnAll(node+"/drain", "drainNode", input.NoBody, s.drainNode(true)),
		actOnAll(node+"/undrain", "undrainNode", input.NoBody, s.drainNode(false)),
		act(queue+"/perform-all-now", "performAllNow", keys, s.actOnKeys("perform-all-now", (*operate.Desk).PerformNow)),
		act(queue+"/kill-failed", "killFailed", keys, s.actOnKeys("kill-failed", (*operate.Desk).KillFailed)),
		act(queue+"/delete-failed", "deleteFailed", keys, s.actOnKeys("delete-failed", (*operate.Desk).DeleteFailed)),
		act(queue+"/morgue/requeue", "requeueMorgue", input.JSON[requeueRequest]().OrNone(), s.requeue),
		act(queue+"/morgue/delete", "deleteMorgue", keys, s.actOnKeys("delete-dead", (*operate.Desk).Discard)),
	}
}
