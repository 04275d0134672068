package ops

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/request"
)

// opsFrame holds the title, navigation and other data that all pages of operators share.
type opsFrame struct {
	Title   string
	Refresh bool // without a script, the browser reloads the page automatically
	Nav     []opsLink
	May     bool   // the user may change things
	Owner   bool   // the user may see and change the state that all tenants share
	Said    string // message about the last act; "" without an act

	in    locale.Printer // language of the user
	kinds *jobs.Registry
}

// kindName holds the title and the name of a kind. The queue of the kind has the same name. Private kinds are those
// of Rollcall itself.
type kindName struct {
	Title, Name string
	Private     bool
}

// KindName returns the title of a kind in the user's language, and its name.
func (f opsFrame) KindName(name string) kindName {
	kind, _ := f.kinds.Kind(name)
	return kindName{f.kinds.Title(string(f.in), name), name, kind.Private}
}

// opsLink is a link in the navigation of the operators' pages.
type opsLink struct {
	At, Words string
	Here      bool // the link leads to the current page
}

// opsLinks returns all links of the navigation in their order. opsFrame leaves out links to pages
// that the user must not open.
func opsLinks(in locale.Printer) []opsLink {
	return []opsLink{
		{At: "/ops", Words: in.Text("ops.door.queues")},
		{At: "/ops/nodes", Words: in.Text("ops.door.nodes")},
		{At: tenantsPath, Words: in.Text("ops.door.tenants")},
		{At: tasksPath, Words: in.Text("ops.door.tasks")},
		{At: rowsPath, Words: in.Text("ops.door.rows")},
		{At: errorsPath, Words: in.Text("ops.door.errors")},
		{At: plansPath, Words: in.Text("ops.door.schedules")},
		{At: hooksPath, Words: in.Text("ops.door.webhooks")},
		{At: limitsPath, Words: in.Text("ops.door.limits")},
		{At: keysPath, Words: in.Text("ops.door.access")},
		{At: auditPath, Words: in.Text("ops.door.audit")},
	}
}

// opsFrame returns the frame of a page. The argument `at` is the path of the link that is marked in the
// navigation.
func (p *Handlers) opsFrame(c *gin.Context, title, at string) opsFrame {
	in := request.Printer(c)
	f := opsFrame{Title: title, May: request.Caller(c).May(access.OpsWrite), Said: p.outcomeText(c), in: in, kinds: p.Kinds}
	f.Owner = request.Caller(c).May(access.ServiceWrite)
	for _, link := range opsLinks(in) {
		if p.Opens(request.Caller(c), link.At) {
			link.Here = link.At == at
			f.Nav = append(f.Nav, link)
		}
	}
	return f
}

// Heard returns why a delivery has failed, in the language of the page.
func (f opsFrame) Heard(reason *string) string {
	return words.Translate(string(f.in), "delivery.", textutil.Deref(reason))
}
