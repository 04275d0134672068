package request

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Finder is a loader of the resource that the path of a request names. For the owner of the service, it
// loads API keys of all tenants. It loads other resources only from the tenant of the caller.
type Finder struct {
	Access    *access.Store
	Notify    *notify.Store
	Schedules *schedules.Store
	Tasks     *tasks.Store
}
