package web

import "github.com/rollcall-dev/rollcall/access"

// scheduleRoutes are the routes of schedules.
func (s *Server) scheduleRoutes() []route {
	const (
		plans = "/api/v1/schedules"
		plan  = "/api/v1/schedules/:id"
	)
	text := jsonBody[scheduleRequest]()
	return []route{
		{get, plans, "listSchedules", access.TasksRead, readTimeout, pageNames, noBody, s.listSchedules},
		{post, plans, "createSchedule", access.TasksWrite, readTimeout, noQuery, text, s.createSchedule},
		{get, plan, "getSchedule", access.TasksRead, readTimeout, noQuery, noBody, s.forSchedule(s.getSchedule)},
		{patch, plan, "patchSchedule", access.TasksWrite, readTimeout, noQuery, text, s.patchSchedule},
		{del, plan, "deleteSchedule", access.TasksWrite, readTimeout, noQuery, noBody, s.forSchedule(s.deleteSchedule)},
		{post, plan + "/run", "runSchedule", access.TasksWrite, unbounded, noQuery, noBody, s.forSchedule(s.runSchedule)},
		{post, plan + "/pause", "pauseSchedule", access.TasksWrite, readTimeout, noQuery, noBody, s.pauseSchedule(true)},
		{post, plan + "/resume", "resumeSchedule", access.TasksWrite, readTimeout, noQuery, noBody, s.pauseSchedule(false)},
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
		{get, hooks, "listWebhooks", access.OpsRead, readTimeout, pageNames, noBody, s.listWebhooks},
		{post, hooks, "createWebhook", access.OpsWrite, readTimeout, noQuery, jsonBody[webhookRequest](), s.createWebhook},
		{post, hooks + "/callback-secret", "createCallbackSecret", access.OpsWrite, readTimeout, noQuery, noBody, s.createCallbackSecret},
		{get, hook, "getWebhook", access.OpsRead, readTimeout, noQuery, noBody, s.forWebhook(s.getWebhook)},
		{del, hook, "deleteWebhook", access.OpsWrite, readTimeout, noQuery, noBody, s.deleteWebhook},
		{get, hook + sent, "listWebhookDeliveries", access.OpsRead, readTimeout, pageNames, noBody, s.forWebhook(s.listWebhookDeliveries)},
		{post, hook + again, "replayWebhookDelivery", access.OpsWrite, readTimeout, noQuery, noBody, s.forWebhook(s.replayWebhookDelivery)},
		{get, task + sent, "listTaskDeliveries", access.OpsRead, readTimeout, pageNames, noBody, s.forTask(s.listTaskDeliveries)},
		{post, task + again, "replayTaskDelivery", access.OpsWrite, readTimeout, noQuery, noBody, s.forTask(s.replayTaskDelivery)},
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
		{post, keys, "createKey", access.KeysAdmin, readTimeout, noQuery, jsonBody[keyRequest](), s.createKey},
		{post, key + "/rotate", "rotateKey", access.KeysAdmin, readTimeout, noQuery, jsonBody[rotateRequest]().orNone(), s.rotateKey},
		{get, key + "/audit", "listKeyAudit", access.KeysAdmin, readTimeout, pageNames, noBody, s.forKey(s.listKeyAudit)},
	}
}
