package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
)

// operators adds the pages of those who run the service. They are in English.
func (p *pages) operators() {
	p.show("/ops", within(statsTimeout, p.opsHome))
	p.show("/ops/queues/:queue", within(statsTimeout, p.opsQueue))
	p.show("/ops/queues/:queue/waiting", within(statsTimeout, p.opsWaiting))
	p.show("/ops/queues/:queue/busy", within(statsTimeout, p.opsBusy))
	p.show("/ops/queues/:queue/morgue", within(statsTimeout, p.opsMorgue))
	p.show("/ops/queues/:queue/keys", within(statsTimeout, p.opsHot))
	p.show("/ops/nodes", within(statsTimeout, p.opsNodes))
}

// opsFrame is what stands around each page of operators.
type opsFrame struct {
	Title   string
	Refresh bool // without script, the browser looks again by itself
	Nav     []opsLink
	May     bool // the reader may change things
}

// opsLink is a door to a page of operators.
type opsLink struct {
	At, Words string
	Here      bool // the page is behind it
}

// opsDoors are all doors, in their order; who lacks the scope of one does not
// see it.
func opsDoors() []opsLink {
	return []opsLink{
		{At: "/ops", Words: "Queues"},
		{At: "/ops/nodes", Words: "Nodes"},
	}
}

// opsFrame is the frame of a page; at is the door that it is behind.
func (p *pages) opsFrame(c *gin.Context, title, at string) opsFrame {
	f := opsFrame{Title: title, May: caller(c).May(access.OpsWrite)}
	for _, door := range opsDoors() {
		if scope, ok := scopes["GET "+door.At]; ok && caller(c).May(scope) {
			door.Here = door.At == at
			f.Nav = append(f.Nav, door)
		}
	}
	return f
}

// opsTemplates are the files of the operators' pages.
func opsTemplates() []string {
	return []string{"ops_home.html", "ops_queue.html", "ops_keys.html", "ops_hot.html", "ops_nodes.html"}
}
