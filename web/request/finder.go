package request

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Finder is a loader of the resource that the path of a request names. The owner of the service may name
// an API key of any tenant. All other resources must belong to the caller's tenant.
type Finder struct {
	Access    *access.Store
	Notify    *notify.Store
	Schedules *schedules.Store
	Tasks     *tasks.Store
}
