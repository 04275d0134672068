package request

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Finder is a loader of the resource that the path of a request names. For API keys, the owner of the service
// reaches all tenants. All other resources belong to the caller's tenant.
type Finder struct {
	Access    *access.Store
	Notify    *notify.Store
	Schedules *schedules.Store
	Tasks     *tasks.Store
}
