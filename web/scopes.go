package web

import "github.com/rollcall-dev/rollcall/access"

// everybody marks a path that asks for no credential.
const everybody access.Scope = ""

// scopes is what each path asks for. A path that is not here is refused, so
// that none is opened by oversight.
var scopes = map[string]access.Scope{
	"GET /api/v1/kinds":                access.TasksRead,
	"GET /api/v1/kinds/:kind":          access.TasksRead,
	"GET /api/v1/kinds/:kind/template": access.TasksRead,

	"GET /api/v1/tasks":                  access.TasksRead,
	"GET /api/v1/tasks/:id":              access.TasksRead,
	"GET /api/v1/tasks/:id/stream":       access.TasksRead,
	"GET /api/v1/tasks/:id/events":       access.TasksRead,
	"GET /api/v1/tasks/:id/errors":       access.TasksRead,
	"GET /api/v1/tasks/:id/error-groups": access.TasksRead,
	"GET /api/v1/events/:id":             access.TasksRead,
	"GET /api/v1/events/:id/explain":     access.TasksRead,

	"POST /api/v1/tasks":            access.TasksWrite,
	"POST /api/v1/imports/preview":  access.TasksWrite,
	"POST /api/v1/tasks/:id/jobs":   access.TasksWrite,
	"POST /api/v1/tasks/:id/close":  access.TasksWrite,
	"POST /api/v1/tasks/:id/pause":  access.TasksWrite,
	"POST /api/v1/tasks/:id/resume": access.TasksWrite,
	"POST /api/v1/tasks/:id/cancel": access.TasksWrite,

	"GET /api/v1/tasks/:id/result":  access.FilesRead,
	"GET /api/v1/files/:id/content": access.FilesRead,
	"POST /api/v1/files/:id/links":  access.TasksWrite,

	"GET /api/v1/stats":                access.OpsRead,
	"GET /api/v1/queues":               access.OpsRead,
	"GET /api/v1/queues/:queue":        access.OpsRead,
	"GET /api/v1/queues/:queue/jobs":   access.OpsRead,
	"GET /api/v1/queues/:queue/busy":   access.OpsRead,
	"GET /api/v1/queues/:queue/morgue": access.OpsRead,
	"GET /api/v1/queues/:queue/shards": access.OpsRead,
	"GET /api/v1/queues/:queue/keys":   access.OpsRead,
	"GET /api/v1/nodes":                access.OpsRead,
	"GET /api/v1/audit":                access.OpsRead,

	"POST /api/v1/queues/:queue/pause":           access.OpsWrite,
	"POST /api/v1/queues/:queue/resume":          access.OpsWrite,
	"POST /api/v1/queues/:queue/reshard":         access.OpsWrite,
	"POST /api/v1/queues/:queue/perform-all-now": access.OpsWrite,
	"POST /api/v1/queues/:queue/kill-failed":     access.OpsWrite,
	"POST /api/v1/queues/:queue/delete-failed":   access.OpsWrite,
	"POST /api/v1/queues/:queue/morgue/requeue":  access.OpsWrite,
	"POST /api/v1/queues/:queue/morgue/delete":   access.OpsWrite,
	"POST /api/v1/nodes/:node/drain":             access.OpsWrite,
	"POST /api/v1/nodes/:node/undrain":           access.OpsWrite,

	"GET /api/v1/tenants/:tenant/limits":    access.OpsRead,
	"GET /api/v1/webhooks":                  access.OpsRead,
	"GET /api/v1/webhooks/:id":              access.OpsRead,
	"GET /api/v1/webhooks/:id/deliveries":   access.OpsRead,
	"GET /api/v1/tasks/:id/deliveries":      access.OpsRead,
	"PUT /api/v1/tenants/:tenant/limits":    access.OpsWrite,
	"POST /api/v1/webhooks":                 access.OpsWrite,
	"POST /api/v1/webhooks/callback-secret": access.OpsWrite,
	"DELETE /api/v1/webhooks/:id":           access.OpsWrite,

	"POST /api/v1/webhooks/:id/deliveries/:delivery/replay": access.OpsWrite,
	"POST /api/v1/tasks/:id/deliveries/:delivery/replay":    access.OpsWrite,

	"PATCH /api/v1/events/:id":           access.RowsReview,
	"GET /api/v1/tasks/:id/audit":        access.TasksRead,
	"POST /api/v1/tasks/:id/resubmit":    access.RowsReview,
	"POST /api/v1/tasks/:id/repair":      access.RowsReview,
	"POST /api/v1/tasks/:id/skip":        access.RowsReview,
	"POST /api/v1/tasks/:id/corrections": access.RowsReview,

	"GET /api/v1/schedules":             access.TasksRead,
	"GET /api/v1/schedules/:id":         access.TasksRead,
	"POST /api/v1/schedules":            access.TasksWrite,
	"PATCH /api/v1/schedules/:id":       access.TasksWrite,
	"DELETE /api/v1/schedules/:id":      access.TasksWrite,
	"POST /api/v1/schedules/:id/run":    access.TasksWrite,
	"POST /api/v1/schedules/:id/pause":  access.TasksWrite,
	"POST /api/v1/schedules/:id/resume": access.TasksWrite,

	"GET /api/v1/keys":             access.KeysAdmin,
	"POST /api/v1/keys":            access.KeysAdmin,
	"GET /api/v1/keys/:id/audit":   access.KeysAdmin,
	"POST /api/v1/keys/:id/rotate": access.KeysAdmin,
	"DELETE /api/v1/keys/:id":      access.KeysAdmin,

	"GET /":                       access.TasksRead,
	"GET /tasks/:id":              access.TasksRead,
	"GET /kinds/:kind/sample.csv": access.TasksRead,
	"GET /imports":                access.TasksRead,
	"POST /imports":               access.TasksWrite,
	"GET /exports":                access.TasksRead,
	"POST /exports":               access.TasksWrite,
	"GET /imports/check":          access.TasksWrite,
	"POST /imports/check":         access.TasksWrite,
	"POST /tasks/:id/pause":       access.TasksWrite,
	"POST /tasks/:id/resume":      access.TasksWrite,
	"POST /tasks/:id/cancel":      access.TasksWrite,
	"POST /tasks/:id/corrections": access.RowsReview,
	"GET /tasks/:id/repair":       access.TasksRead,
	"POST /tasks/:id/repair":      access.RowsReview,
	"GET /tasks/:id/rows/:seq":    access.TasksRead,
	"POST /tasks/:id/rows/:seq":   access.RowsReview,

	"GET /ops":       access.OpsRead,
	"GET /ops/nodes": access.OpsRead,

	"GET /ops/webhooks":             access.OpsRead,
	"POST /ops/webhooks":            access.OpsWrite,
	"GET /ops/webhooks/:id":         access.OpsRead,
	"POST /ops/webhooks/:id/delete": access.OpsWrite,
	"GET /ops/audit":                access.OpsRead,
	"GET /ops/limits":               access.OpsRead,
	"POST /ops/limits":              access.OpsWrite,
	"POST /ops/limits/:act":         access.OpsWrite,
	"GET /ops/access":               access.KeysAdmin,
	"POST /ops/access":              access.KeysAdmin,
	"GET /ops/access/:id":           access.KeysAdmin,
	"POST /ops/access/:id/:act":     access.KeysAdmin,

	"POST /ops/webhooks/:id/deliveries/:delivery/replay": access.OpsWrite,

	"GET /ops/tasks":    access.OpsRead,
	"GET /ops/rows":     access.OpsRead,
	"GET /ops/rows/:id": access.OpsRead,

	"GET /ops/schedules":           access.OpsRead,
	"POST /ops/schedules":          access.OpsWrite,
	"POST /ops/schedules/:id/:act": access.OpsWrite,

	"GET /ops/queues/:queue":         access.OpsRead,
	"GET /ops/queues/:queue/waiting": access.OpsRead,
	"GET /ops/queues/:queue/busy":    access.OpsRead,
	"GET /ops/queues/:queue/morgue":  access.OpsRead,
	"GET /ops/queues/:queue/keys":    access.OpsRead,

	"POST /ops/queues/:queue/acts":      access.OpsWrite,
	"POST /ops/queues/:queue/turn/:act": access.OpsWrite,
	"POST /ops/nodes/:node/:act":        access.OpsWrite,

	"GET /sign-in/oidc/callback": everybody,

	"GET /sign-in":      everybody,
	"POST /sign-in":     everybody,
	"POST /sign-out":    everybody,
	"GET /sign-in/oidc": everybody,
	"POST /look":        everybody,
	"GET /static/*file": everybody,
	"GET /metrics":      access.OpsRead,

	"GET /healthz":      everybody,
	"GET /readyz":       everybody,
	"GET /openapi.json": everybody,
	"GET /docs":         everybody,
}
