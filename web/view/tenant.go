package view

import (
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Limits holds the limits of a tenant. Rate is in requests a minute. For Slots, Tasks, Rows and Bytes, 0
// means no limit. For Window, Rate, Priority and Schedules, 0 means the default of the service.
type Limits struct {
	Slots     int64 `json:"slots"`
	Window    int64 `json:"window"`
	Rate      int64 `json:"rate"`
	Tasks     int64 `json:"tasks"`
	Rows      int64 `json:"rows"`
	Bytes     int64 `json:"bytes"`
	Priority  int64 `json:"priority" doc:"Highest priority of new tasks; 0 means 1000."`
	Schedules int64 `json:"schedules" doc:"Greatest number of schedules; 0 means 100."`
}

// TenantLimits holds the limits of a tenant, its weight among waiting tenants, its run hours and its
// pause.
type TenantLimits struct {
	Tenant string `json:"tenant"`
	Limits
	Allowed Limits `json:"allowed" doc:"Limits that the owner allows. Operators of the tenant can only set lower limits." schema:"ref=LimitNumbers"`
	Weight  int64  `json:"weight" doc:"Share of the tenant while other tenants wait, from 1 to 1000. Only the owner of the service can set it."`
	Hours   string `json:"run_hours" doc:"Part of the day in which rows start, such as '22:00-06:00 Europe/Berlin'; empty: the whole day. Only the owner of the service can set it."`
	Paused  bool   `json:"paused" doc:"No further rows of the tenant are started."`
	Stopped bool   `json:"paused_by_owner" doc:"The owner of the service has paused the tenant, and only the owner can resume it."`
}

// OfLimits returns the view of limits.
func OfLimits(l tasks.Limits) Limits {
	return Limits{l.Slots, l.Window, l.Rate, l.Tasks, l.Rows, l.Bytes, l.Priority, l.Schedules}
}

// TenantUsage is a tenant with its limits and its usage.
type TenantUsage struct {
	TenantLimits
	Use Usage `json:"use" schema:"ref=TenantUse"`
}

// Usage holds how much of its limits a tenant uses.
type Usage struct {
	Tasks  int64 `json:"tasks" doc:"Tasks that are not done."`
	Rows   int64 `json:"rows" doc:"Rows that have not ended."`
	Bytes  int64 `json:"bytes" doc:"Bytes of stored files."`
	Queued int64 `json:"queued" doc:"Rows in the queue or running; their limit is 'slots'."`
}

// OfTenant returns the view of a tenant.
func OfTenant(t *operate.Tenant) TenantUsage {
	return TenantUsage{
		TenantLimits{t.Name, OfLimits(t.Limits), OfLimits(t.Caps), WeightOf(t.Limits), t.Limits.Hours, t.State.Paused, t.State.Stopped},
		Usage{t.Use.Tasks, t.Use.Rows, t.Use.Bytes, t.Queued},
	}
}

// Removed is the result of the removal of a tenant.
type Removed struct {
	Emptied int64 `json:"emptied" doc:"Number of tasks whose rows and files were deleted."`
}

// WeightOf returns the weight of a tenant; 1 if the owner has not set it.
func WeightOf(l tasks.Limits) int64 { return max(l.Weight, 1) }
