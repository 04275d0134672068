package api

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/route"
)

func (s *Handlers) queueRoutes() []route.Route {
	const (
		queue  = "/api/v1/queues/:queue"
		node   = "/api/v1/nodes/:node"
		all    = "/api/v1/tenants"
		tenant = "/api/v1/tenants/:tenant"
		limits = "/api/v1/tenants/:tenant/limits"
	)
	ordered, keys := input.Names{"limit", "cursor", "by", "dir", "fields"}, input.JSON[manage.KeysRequest]().OrNone()
	act := func(path, name string, taken input.Body, serve route.Handler) route.Route {
		return route.New(route.Post, path, name, access.OpsWrite, route.BulkTimeout, input.NoQuery, taken, serve)
	}
	actOnAll := func(path, name string, taken input.Body, serve route.Handler) route.Route {
		return route.New(route.Post, path, name, access.ServiceWrite, route.BulkTimeout, input.NoQuery, taken, serve)
	}
	return []route.Route{
		route.New(route.Get, "/api/v1/stats", "getStats", access.ServiceRead, route.StatsTimeout, input.NoQuery, input.NoBody, s.getStats),
		route.New(route.Get, "/api/v1/queues", "listQueues", access.OpsRead, route.StatsTimeout, input.NoQuery, input.NoBody, s.listQueues),
		route.New(route.Get, queue, "getQueue", access.OpsRead, route.StatsTimeout, input.NoQuery, input.NoBody, s.getQueue),
		route.New(route.Get, queue+"/jobs", "listQueueJobs", access.OpsRead, route.StatsTimeout, ordered, input.NoBody, s.listWaiting),
		route.New(route.Get, queue+"/morgue", "listMorgue", access.OpsRead, route.StatsTimeout, append(input.Names{"tenant"}, ordered...), input.NoBody, s.listMorgue),
		route.New(route.Get, queue+"/busy", "listBusyJobs", access.OpsRead, route.StatsTimeout, input.Names{"limit"}, input.NoBody, s.listBusy),
		route.New(route.Get, queue+"/shards", "listShards", access.ServiceRead, route.StatsTimeout, input.NoQuery, input.NoBody, s.listShards),
		route.New(route.Get, queue+"/keys", "listHotKeys", access.OpsRead, route.StatsTimeout, input.Names{"top"}, input.NoBody, s.listHotKeys),
		route.New(route.Get, "/api/v1/nodes", "listNodes", access.ServiceRead, route.StatsTimeout, input.NoQuery, input.NoBody, s.listNodes),
		route.New(route.Get, route.AuditExport, "exportAudit", access.KeysAdmin, route.Unbounded, input.Names{"format", "at_gte", "at_lt"}, input.NoBody, s.exportAudit),
		route.New(route.Get, "/api/v1/audit", "listAudit", access.OpsRead, route.ReadTimeout, route.PageNames, input.NoBody, s.listAudit),
		route.New(route.Get, limits, "getLimits", access.OpsRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.getLimits),
		route.New(route.Get, all, "listTenants", access.ServiceRead, route.StatsTimeout, route.PageNames, input.NoBody, s.listTenants),
		route.New(route.Get, tenant+"/export", "exportTenant", access.ServiceRead, route.Unbounded, input.NoQuery, input.NoBody, s.exportTenant),
		route.New(route.Delete, tenant, "removeTenant", access.ServiceWrite, route.Unbounded, input.Names{"confirm", "cancel"}, input.NoBody, s.removeTenant),
		act(tenant+"/pause", "pauseTenant", input.NoBody, s.pauseOrResumeTenant(true)),
		act(tenant+"/resume", "resumeTenant", input.NoBody, s.pauseOrResumeTenant(false)),
		route.New(route.Put, limits, "putLimits", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.JSON[limitsRequest](), s.putLimits),

		actOnAll(queue+"/pause", "pauseQueue", input.NoBody, s.pauseQueue(true)),
		actOnAll(queue+"/resume", "resumeQueue", input.NoBody, s.pauseQueue(false)),
		actOnAll(queue+"/reshard", "reshardQueue", input.JSON[reshardRequest](), s.reshardQueue),
		actOnAll(node+"/drain", "drainNode", input.NoBody, s.drainNode(true)),
		actOnAll(node+"/undrain", "undrainNode", input.NoBody, s.drainNode(false)),
		act(queue+"/perform-all-now", "performAllNow", keys, s.actOnKeys("perform-all-now", (*operate.Operator).PerformNow)),
		act(queue+"/kill-failed", "killFailed", keys, s.actOnKeys("kill-failed", (*operate.Operator).KillFailed)),
		act(queue+"/delete-failed", "deleteFailed", keys, s.actOnKeys("delete-failed", (*operate.Operator).DeleteFailed)),
		act(queue+"/morgue/requeue", "requeueMorgue", input.JSON[requeueRequest]().OrNone(), s.requeue),
		act(queue+"/morgue/delete", "deleteMorgue", keys, s.actOnKeys("delete-dead", (*operate.Operator).Discard)),
	}
}
