package ops

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/request"
)

// opsFrame is the frame of each page of operators.
type opsFrame struct {
	Title   string
	Refresh bool // without script, the browser reloads the page automatically
	Nav     []opsLink
	May     bool   // the reader may change things
	Owner   bool   // the reader may see and change the state that all tenants share
	Said    string // what an act has done, or ""

	in    locale.Printer // language of the reader
	kinds *jobs.Registry
}

// kindName holds the title of a kind and the name of its queue.
type kindName struct{ Title, Name string }

// KindName returns the title of a kind in the language of the reader, with its name.
func (f opsFrame) KindName(name string) kindName {
	return kindName{f.kinds.Title(string(f.in), name), name}
}

// opsLink is a link of the navigation to a page of operators.
type opsLink struct {
	At, Words string
	Here      bool // the link is the current page
}

// opsDoors returns all links of the navigation, in their order. A reader without the scope of a link
// does not see the link.
func opsDoors(in locale.Printer) []opsLink {
	return []opsLink{
		{At: "/ops", Words: in.Text("ops.door.queues")},
		{At: "/ops/nodes", Words: in.Text("ops.door.nodes")},
		{At: tenantsDoor, Words: in.Text("ops.door.tenants")},
		{At: tasksDoor, Words: in.Text("ops.door.tasks")},
		{At: rowsDoor, Words: in.Text("ops.door.rows")},
		{At: errorsDoor, Words: in.Text("ops.door.errors")},
		{At: plansDoor, Words: in.Text("ops.door.schedules")},
		{At: hooksDoor, Words: in.Text("ops.door.webhooks")},
		{At: limitsDoor, Words: in.Text("ops.door.limits")},
		{At: keysDoor, Words: in.Text("ops.door.access")},
		{At: auditDoor, Words: in.Text("ops.door.audit")},
	}
}

// opsFrame returns the frame of a page. at is the page in the navigation.
func (p *Handlers) opsFrame(c *gin.Context, title, at string) opsFrame {
	in := request.Printer(c)
	f := opsFrame{Title: title, May: request.Caller(c).May(access.OpsWrite), Said: p.said(c), in: in, kinds: p.Kinds}
	f.Owner = request.Caller(c).May(access.ServiceWrite)
	for _, door := range opsDoors(in) {
		if p.Opens(request.Caller(c), door.At) {
			door.Here = door.At == at
			f.Nav = append(f.Nav, door)
		}
	}
	return f
}
