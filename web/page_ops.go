package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// opsFrame is what stands around each page of operators.
type opsFrame struct {
	Title   string
	Refresh bool // without script, the browser looks again by itself
	Nav     []opsLink
	May     bool   // the reader may change things
	Owner   bool   // the reader sees what all tenants share, and may change it
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
		{At: tenantsDoor, Words: in.say("ops.door.tenants")},
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
	f.Owner = caller(c).May(access.ServiceWrite)
	for _, door := range opsDoors(in) {
		if p.opens(caller(c), door.At) {
			door.Here = door.At == at
			f.Nav = append(f.Nav, door)
		}
	}
	return f
}

// opens reports whether a door is there, and leads somewhere for a caller.
func (p *pages) opens(g access.Grant, door string) bool {
	r := p.table[http.MethodGet+" "+door]
	return r != nil && g.May(r.scope)
}

// opsTemplates are the files of the operators' pages.
func opsTemplates() []string {
	return []string{
		"ops_home.html", "ops_queue.html", "ops_keys.html", "ops_hot.html", "ops_nodes.html", "ops_ask.html",
		"ops_webhooks.html", "ops_deliveries.html", "ops_limits.html", "ops_access.html", "ops_key.html", "ops_audit.html",
		"ops_tasks.html", "ops_row.html", "ops_schedules.html", "ops_tenants.html", "ops_tenant.html",
	}
}
