package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditDoor is the page of what operators did.
const auditDoor = "/ops/audit"

// opsAuditPage is what operators of the tenant did, newest first.
type opsAuditPage struct {
	opsFrame
	Deeds  []opsDeed
	First  bool   // the newest are shown
	Export string // where the whole log is to be had, or ""
	More   string // where the list goes on, or ""
}

// opsDeed is a deed, with what was done in words.
type opsDeed struct {
	view.AuditEntry
	Did string
}

// deed is a verb of the audit in words; one that there are none for is told as it is.
func (in tongue) deed(verb string) string {
	key := "ops.deed." + verb
	if text := in.say(key); text != "page."+key {
		return text
	}
	return verb
}

// opsAudit serves GET /ops/audit.
func (p *pages) opsAudit(c *gin.Context) error {
	limit, before, err := page(c)
	if err != nil {
		return err
	}
	list, err := p.opt.Audit.List(c.Request.Context(), audit.Operators(p.tenant(c)), before, limit+1, ownersAudit(c)...)
	if err != nil {
		return err
	}
	v := opsAuditPage{opsFrame: p.opsFrame(c, tongueOf(c).say("ops.door.audit"), auditDoor), First: before == 0}
	if caller(c).May(access.KeysAdmin) {
		v.Export = auditExport + "?format=csv"
	}
	if len(list) > limit {
		list, v.More = list[:limit], auditDoor+"?cursor="+cursor(list[limit-1].Num)
	}
	for i := range list {
		v.Deeds = append(v.Deeds, opsDeed{view.OfAuditEntry(&list[i]), v.in.deed(list[i].Act)})
	}
	return p.render(c, http.StatusOK, "ops_audit.html", v)
}
