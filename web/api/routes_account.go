package api

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/route"
)

func (s *Handlers) scheduleRoutes() []route.Route {
	const (
		plans = "/api/v1/schedules"
		plan  = "/api/v1/schedules/:id"
	)
	text := input.JSON[scheduleRequest]()
	return []route.Route{
		route.New(route.Get, plans, "listSchedules", access.TasksRead, route.ReadTimeout, route.PageNames, input.NoBody, s.listSchedules),
		route.New(route.Post, plans, "createSchedule", access.TasksWrite, route.ReadTimeout, input.NoQuery, text, s.createSchedule),
		route.New(route.Get, plan, "getSchedule", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForSchedule(s.getSchedule)),
		route.New(route.Patch, plan, "patchSchedule", access.TasksWrite, route.ReadTimeout, input.NoQuery, text, s.patchSchedule),
		route.New(route.Delete, plan, "deleteSchedule", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForSchedule(s.deleteSchedule)),
		route.New(route.Post, plan+"/run", "runSchedule", access.TasksWrite, route.Unbounded, input.NoQuery, input.NoBody, s.Find.ForSchedule(s.runSchedule)),
		route.New(route.Post, plan+"/pause", "pauseSchedule", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.pauseSchedule(true)),
		route.New(route.Post, plan+"/resume", "resumeSchedule", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.pauseSchedule(false)),
	}
}

func (s *Handlers) webhookRoutes() []route.Route {
	const (
		hooks = "/api/v1/webhooks"
		hook  = "/api/v1/webhooks/:id"
		sent  = "/deliveries"
		again = "/deliveries/:delivery/replay"
		task  = "/api/v1/tasks/:id"
	)
	return []route.Route{
		route.New(route.Get, hooks, "listWebhooks", access.OpsRead, route.ReadTimeout, route.PageNames, input.NoBody, s.listWebhooks),
		route.New(route.Post, hooks, "createWebhook", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.JSON[manage.WebhookRequest](), s.createWebhook),
		route.New(route.Post, hooks+"/callback-secret", "createCallbackSecret", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.createCallbackSecret),
		route.New(route.Get, hook, "getWebhook", access.OpsRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForWebhook(s.getWebhook)),
		route.New(route.Delete, hook, "deleteWebhook", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForWebhook(s.deleteWebhook)),
		route.New(route.Get, hook+sent, "listWebhookDeliveries", access.OpsRead, route.ReadTimeout, route.PageNames, input.NoBody, s.Find.ForWebhook(s.listWebhookDeliveries)),
		route.New(route.Post, hook+again, "replayWebhookDelivery", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForWebhook(s.replayWebhookDelivery)),
		route.New(route.Get, task+sent, "listTaskDeliveries", access.OpsRead, route.ReadTimeout, route.PageNames, input.NoBody, s.Find.ForTask(s.listTaskDeliveries)),
		route.New(route.Post, task+again, "replayTaskDelivery", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForTask(s.replayTaskDelivery)),
	}
}

// keyRoutes returns the routes of API keys that ReserveRoutes does not return. Without authentication,
// there are no such routes.
func (s *Handlers) keyRoutes() []route.Route {
	const (
		keys = "/api/v1/keys"
		key  = "/api/v1/keys/:id"
	)
	if s.Access == nil {
		return nil
	}
	return []route.Route{
		route.New(route.Post, keys, "createKey", access.KeysAdmin, route.ReadTimeout, input.NoQuery, input.JSON[keyRequest](), s.createKey),
		route.New(route.Post, key+"/rotate", "rotateKey", access.KeysAdmin, route.ReadTimeout, input.NoQuery, input.JSON[rotateRequest]().OrNone(), s.rotateKey),
		route.New(route.Get, key+"/audit", "listKeyAudit", access.KeysAdmin, route.ReadTimeout, route.PageNames, input.NoBody, s.Find.ForKey(s.listKeyAudit)),
	}
}
