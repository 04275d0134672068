package ops

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditDoor is the page of the audit log.
const auditDoor = "/ops/audit"

// opsAuditPage is the audit log of the operators of a tenant, newest first.
type opsAuditPage struct {
	opsFrame
	Deeds  []opsDeed
	First  bool   // the first page is shown
	Export string // where the whole log is to be had, or ""
	More   string // where the list goes on, or ""
}

// opsDeed is an entry of the audit log, with the act in words.
type opsDeed struct {
	view.AuditEntry
	Did string
}

// actWords returns the text for a verb of the audit log, or the verb if it has no text.
func actWords(in locale.Printer, verb string) string {
	key := "ops.deed." + verb
	if text := in.Text(key); text != "page."+key {
		return text
	}
	return verb
}

// opsAudit serves GET /ops/audit.
func (p *Handlers) opsAudit(c *gin.Context) error {
	limit, before, err := request.Page(c)
	if err != nil {
		return err
	}
	list, err := p.Audit.List(c.Request.Context(), audit.Operators(request.Tenant(c)), before, limit+1, manage.OwnersAudit(c.Request.Context())...)
	if err != nil {
		return err
	}
	v := opsAuditPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.audit"), auditDoor), First: before == 0}
	if request.Caller(c).May(access.KeysAdmin) {
		v.Export = route.AuditExport + "?format=csv"
	}
	if len(list) > limit {
		list, v.More = list[:limit], auditDoor+"?cursor="+request.Cursor(list[limit-1].Num)
	}
	for i := range list {
		v.Deeds = append(v.Deeds, opsDeed{view.OfAuditEntry(&list[i]), actWords(v.in, list[i].Act)})
	}
	return p.Render.Page(c, http.StatusOK, "ops_audit.html", v)
}
