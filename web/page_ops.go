package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
)

// operators adds the pages of those who run the service.
func (p *pages) operators() {
	p.show("/ops", within(statsTimeout, p.opsHome))
	p.show("/ops/queues/:queue", within(statsTimeout, p.opsQueue))
	p.show("/ops/queues/:queue/waiting", within(statsTimeout, p.opsWaiting))
	p.show("/ops/queues/:queue/busy", within(statsTimeout, p.opsBusy))
	p.show("/ops/queues/:queue/morgue", within(statsTimeout, p.opsMorgue))
	p.show("/ops/queues/:queue/keys", within(statsTimeout, p.opsHot))
	p.show("/ops/nodes", within(statsTimeout, p.opsNodes))
	act := func(path string, h func(*gin.Context) error) { p.gin.POST(path, p.page(within(pressTimeout, h))) }
	act("/ops/queues/:queue/acts", p.opsActOnKeys)
	act("/ops/queues/:queue/turn/:act", p.opsTurnQueue)
	act("/ops/nodes/:node/:act", p.opsTurnNode)
	p.show(tasksDoor, within(readTimeout, p.opsTasks))
	p.show(rowsDoor, p.opsFindRow)
	p.show(rowsDoor+"/:id", within(readTimeout, p.opsRow))
	p.show(plansDoor, within(readTimeout, p.opsPlans))
	act(plansDoor, p.opsMakePlan)
	act(plansDoor+"/:id/:act", p.opsTurnPlan)
	p.opsAccount()
}

// opsAccount adds the pages of what the tenant has here beside queues.
func (p *pages) opsAccount() {
	post := func(path string, h func(*gin.Context) error) { p.gin.POST(path, p.page(within(readTimeout, h))) }
	p.show(hooksDoor, within(readTimeout, p.opsWebhooks))
	post(hooksDoor, p.opsMakeWebhook)
	p.show(hooksDoor+"/:id", within(readTimeout, p.opsDeliveries))
	post(hooksDoor+"/:id/delete", p.opsDeleteWebhook)
	post(hooksDoor+"/:id/deliveries/:delivery/replay", p.opsReplay)
	p.show(auditDoor, within(readTimeout, p.opsAudit))
	p.show(limitsDoor, within(readTimeout, p.opsLimits))
	post(limitsDoor, p.opsSetLimits)
	post(limitsDoor+"/:act", p.opsTurnTenant)
	if p.opt.Access == nil {
		return
	}
	p.show(keysDoor, within(readTimeout, p.opsAccess))
	post(keysDoor, p.opsMakeKey)
	p.show(keysDoor+"/:id", within(readTimeout, p.opsKeyAudit))
	post(keysDoor+"/:id/:act", p.opsTurnKey)
}

// opsFrame is what stands around each page of operators.
type opsFrame struct {
	Title   string
	Refresh bool // without script, the browser looks again by itself
	Nav     []opsLink
	May     bool   // the reader may change things
	Owner   bool   // also what all tenants share
	Said    string // what an act has done, or ""

	in tongue // of the reader
}

// opsLink is a door to a page of operators.
type opsLink struct {
	At, Words string
	Here      bool // the page is behind it
}

// opsDoors are all doors, in their order; who lacks the scope of one does not
// see it.
func opsDoors(in tongue) []opsLink {
	return []opsLink{
		{At: "/ops", Words: in.say("ops.door.queues")},
		{At: "/ops/nodes", Words: in.say("ops.door.nodes")},
		{At: tasksDoor, Words: in.say("ops.door.tasks")},
		{At: rowsDoor, Words: in.say("ops.door.rows")},
		{At: plansDoor, Words: in.say("ops.door.schedules")},
		{At: hooksDoor, Words: in.say("ops.door.webhooks")},
		{At: limitsDoor, Words: in.say("ops.door.limits")},
		{At: keysDoor, Words: in.say("ops.door.access")},
		{At: auditDoor, Words: in.say("ops.door.audit")},
	}
}

// opsFrame is the frame of a page; at is the door that it is behind.
func (p *pages) opsFrame(c *gin.Context, title, at string) opsFrame {
	in := tongueOf(c)
	f := opsFrame{Title: title, May: caller(c).May(access.OpsWrite), Said: p.said(c), in: in}
	f.Owner = f.May && p.owned(c) == nil
	for _, door := range opsDoors(in) {
		if caller(c).May(scopes["GET "+door.At]) && (door.At != keysDoor || p.opt.Access != nil) {
			door.Here = door.At == at
			f.Nav = append(f.Nav, door)
		}
	}
	return f
}

// opsTemplates are the files of the operators' pages.
func opsTemplates() []string {
	return []string{
		"ops_home.html", "ops_queue.html", "ops_keys.html", "ops_hot.html", "ops_nodes.html", "ops_ask.html",
		"ops_webhooks.html", "ops_deliveries.html", "ops_limits.html", "ops_access.html", "ops_key.html", "ops_audit.html",
		"ops_tasks.html", "ops_row.html", "ops_schedules.html",
	}
}
