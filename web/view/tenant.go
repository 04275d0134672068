package view

import (
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Limits holds a number for each limit. 0 means no limit; for Priority and Schedules, 0 means the
// default.
type Limits struct {
	Slots     int64 `json:"slots"`
	Window    int64 `json:"window"`
	Rate      int64 `json:"rate"`
	Tasks     int64 `json:"tasks"`
	Rows      int64 `json:"rows"`
	Bytes     int64 `json:"bytes"`
	Priority  int64 `json:"priority" doc:"The highest priority of new tasks; 0 is 1000."`
	Schedules int64 `json:"schedules" doc:"0 is 100."`
}

// TenantLimits holds the limits of a tenant, its share while other tenants wait, and whether it is
// paused.
type TenantLimits struct {
	Tenant string `json:"tenant"`
	Limits
	Allowed Limits `json:"allowed" doc:"What the owner allows. Operators of the tenant may only set less." schema:"ref=LimitNumbers"`
	Weight  int64  `json:"weight" doc:"Share while other tenants wait, from 1 to 1000. Only the owner of the service sets it."`
	Paused  bool   `json:"paused" doc:"Nothing more of the tenant is started."`
	Stopped bool   `json:"paused_by_owner" doc:"Only the owner of the service resumes it."`
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

// Usage is the usage of a tenant's limits.
type Usage struct {
	Tasks  int64 `json:"tasks" doc:"That are not done."`
	Rows   int64 `json:"rows" doc:"That have not ended."`
	Bytes  int64 `json:"bytes" doc:"Of files that are kept."`
	Queued int64 `json:"queued" doc:"Rows in the queue or running, of which 'slots' is the most."`
}

// OfTenant returns the view of a tenant.
func OfTenant(t *operate.Tenant) TenantUsage {
	return TenantUsage{
		TenantLimits{t.Name, OfLimits(t.Limits), OfLimits(t.Caps), WeightOf(t.Limits), t.State.Paused, t.State.Stopped},
		Usage{t.Use.Tasks, t.Use.Rows, t.Use.Bytes, t.Queued},
	}
}

// Removed is the result of a removal of a tenant.
type Removed struct {
	Emptied int64 `json:"emptied" doc:"Tasks that were emptied."`
}

// WeightOf returns the weight of a tenant; 1 if the owner of the service set none.
func WeightOf(l tasks.Limits) int64 { return max(l.Weight, 1) }
