package web

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
)

// scheduleRoutes are the routes of schedules.
func (s *Server) scheduleRoutes() []route {
	const (
		plans = "/api/v1/schedules"
		plan  = "/api/v1/schedules/:id"
	)
	text := input.JSON[scheduleRequest]()
	return []route{
		{get, plans, "listSchedules", access.TasksRead, readTimeout, pageNames, input.NoBody, s.listSchedules},
		{post, plans, "createSchedule", access.TasksWrite, readTimeout, input.NoQuery, text, s.createSchedule},
		{get, plan, "getSchedule", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.forSchedule(s.getSchedule)},
		{patch, plan, "patchSchedule", access.TasksWrite, readTimeout, input.NoQuery, text, s.patchSchedule},
		{del, plan, "deleteSchedule", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, s.forSchedule(s.deleteSchedule)},
		{post, plan + "/run", "runSchedule", access.TasksWrite, unbounded, input.NoQuery, input.NoBody, s.forSchedule(s.runSchedule)},
		{post, plan + "/pause", "pauseSchedule", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, s.pauseSchedule(true)},
		{post, plan + "/resume", "resumeSchedule", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, s.pauseSchedule(false)},
	}
}

// webhookRoutes are the routes of webhooks and deliveries.
func (s *Server) webhookRoutes() []route {
	const (
		hooks = "/api/v1/webhooks"
		hook  = "/api/v1/webhooks/:id"
		sent  = "/deliveries"
		again = "/deliveries/:delivery/replay"
		task  = "/api/v1/tasks/:id"
	)
	return []route{
		{get, hooks, "listWebhooks", access.OpsRead, readTimeout, pageNames, input.NoBody, s.listWebhooks},
		{post, hooks, "createWebhook", access.OpsWrite, readTimeout, input.NoQuery, input.JSON[webhookRequest](), s.createWebhook},
		{post, hooks + "/callback-secret", "createCallbackSecret", access.OpsWrite, readTimeout, input.NoQuery, input.NoBody, s.createCallbackSecret},
		{get, hook, "getWebhook", access.OpsRead, readTimeout, input.NoQuery, input.NoBody, s.forWebhook(s.getWebhook)},
		{del, hook, "deleteWebhook", access.OpsWrite, readTimeout, input.NoQuery, input.NoBody, s.deleteWebhook},
		{get, hook + sent, "listWebhookDeliveries", access.OpsRead, readTimeout, pageNames, input.NoBody, s.forWebhook(s.listWebhookDeliveries)},
		{post, hook + again, "replayWebhookDelivery", access.OpsWrite, readTimeout, input.NoQuery, input.NoBody, s.forWebhook(s.replayWebhookDelivery)},
		{get, task + sent, "listTaskDeliveries", access.OpsRead, readTimeout, pageNames, input.NoBody, s.forTask(s.listTaskDeliveries)},
		{post, task + again, "replayTaskDelivery", access.OpsWrite, readTimeout, input.NoQuery, input.NoBody, s.forTask(s.replayTaskDelivery)},
	}
}

// keyRoutes are the routes of API keys; none where no credential is asked for.
func (s *Server) keyRoutes() []route {
	const (
		keys = "/api/v1/keys"
		key  = "/api/v1/keys/:id"
	)
	if s.opt.Access == nil {
		return nil
	}
	return []route{
		{post, keys, "createKey", access.KeysAdmin, readTimeout, input.NoQuery, input.JSON[keyRequest](), s.createKey},
		{post, key + "/rotate", "rotateKey", access.KeysAdmin, readTimeout, input.NoQuery, input.JSON[rotateRequest]().OrNone(), s.rotateKey},
		{get, key + "/audit", "listKeyAudit", access.KeysAdmin, readTimeout, pageNames, input.NoBody, s.forKey(s.listKeyAudit)},
	}
}
