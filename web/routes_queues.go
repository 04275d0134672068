package web

import (
	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/operate"
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
	ordered, keys := names{"limit", "cursor", "by", "dir"}, jsonBody[keysRequest]().orNone()
	act := func(path, name string, taken bodySpec, serve handler) route {
		return route{post, path, name, access.OpsWrite, pressTimeout, noQuery, taken, serve}
	}
	actOnAll := func(path, name string, taken bodySpec, serve handler) route {
		return route{post, path, name, access.ServiceWrite, pressTimeout, noQuery, taken, serve}
	}
	return []route{
		{get, "/api/v1/stats", "getStats", access.ServiceRead, statsTimeout, noQuery, noBody, s.getStats},
		{get, "/api/v1/queues", "listQueues", access.OpsRead, statsTimeout, noQuery, noBody, s.listQueues},
		{get, queue, "getQueue", access.OpsRead, statsTimeout, noQuery, noBody, s.getQueue},
		{get, queue + "/jobs", "listQueueJobs", access.OpsRead, statsTimeout, ordered, noBody, s.listWaiting},
		{get, queue + "/morgue", "listMorgue", access.OpsRead, statsTimeout, append(names{"tenant"}, ordered...), noBody, s.listMorgue},
		{get, queue + "/busy", "listBusyJobs", access.OpsRead, statsTimeout, names{"limit"}, noBody, s.listBusy},
		{get, queue + "/shards", "listShards", access.ServiceRead, statsTimeout, noQuery, noBody, s.listShards},
		{get, queue + "/keys", "listHotKeys", access.OpsRead, statsTimeout, names{"top"}, noBody, s.listHotKeys},
		{get, "/api/v1/nodes", "listNodes", access.ServiceRead, statsTimeout, noQuery, noBody, s.listNodes},
		{get, auditExport, "exportAudit", access.KeysAdmin, unbounded, names{"format", "at_gte", "at_lt"}, noBody, s.exportAudit},
		{get, "/api/v1/audit", "listAudit", access.OpsRead, readTimeout, pageNames, noBody, s.listAudit},
		{get, limits, "getLimits", access.OpsRead, readTimeout, noQuery, noBody, s.getLimits},
		{get, all, "listTenants", access.ServiceRead, statsTimeout, pageNames, noBody, s.listTenants},
		{get, tenant + "/export", "exportTenant", access.ServiceRead, unbounded, noQuery, noBody, s.exportTenant},
		{del, tenant, "removeTenant", access.ServiceWrite, unbounded, names{"confirm", "cancel"}, noBody, s.removeTenant},
		act(tenant+"/pause", "pauseTenant", noBody, s.turnTenant(true)),
		act(tenant+"/resume", "resumeTenant", noBody, s.turnTenant(false)),
		{put, limits, "putLimits", access.OpsWrite, readTimeout, noQuery, jsonBody[limitsRequest](), s.putLimits},

		actOnAll(queue+"/pause", "pauseQueue", noBody, s.pauseQueue(true)),
		actOnAll(queue+"/resume", "resumeQueue", noBody, s.pauseQueue(false)),
		actOnAll(queue+"/reshard", "reshardQueue", jsonBody[reshardRequest](), s.reshardQueue),
		actOnAll(node+"/drain", "drainNode", noBody, s.drainNode(true)),
		actOnAll(node+"/undrain", "undrainNode", noBody, s.drainNode(false)),
		act(queue+"/perform-all-now", "performAllNow", keys, s.actOnKeys("perform-all-now", (*operate.Desk).PerformNow)),
		act(queue+"/kill-failed", "killFailed", keys, s.actOnKeys("kill-failed", (*operate.Desk).KillFailed)),
		act(queue+"/delete-failed", "deleteFailed", keys, s.actOnKeys("delete-failed", (*operate.Desk).DeleteFailed)),
		act(queue+"/morgue/requeue", "requeueMorgue", jsonBody[requeueRequest]().orNone(), s.requeue),
		act(queue+"/morgue/delete", "deleteMorgue", keys, s.actOnKeys("delete-dead", (*operate.Desk).Discard)),
	}
}
