package ops

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditPath is the path of the page of the audit log.
const auditPath = "/ops/audit"

// opsAuditPage holds the data of the page of the audit log. Its entries are newest first.
type opsAuditPage struct {
	opsFrame
	Entries []opsEntry
	Actors  map[string]string // names of the actors, by id
	First   bool              // the first page is shown
	Export  string            // address of the export of the whole log; "" if the user must not export it
	More    string            // address of the next page; "" on the last page
}

// opsEntry is an entry of the audit log, with a text for its act.
type opsEntry struct {
	view.AuditEntry
	Did string
}

// actWords returns the text for an act in the audit log. If there is no text, it returns the name of the
// act.
func actWords(in locale.Printer, verb string) string {
	key := "ops.audit.act." + verb
	if text := in.Text(key); text != "page."+key {
		return text
	}
	return verb
}

// opsAudit serves GET /ops/audit.
func (p *Handlers) opsAudit(c *gin.Context) error {
	v := opsAuditPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.audit"), auditPath), First: request.FirstPage(c)}
	list, next, err := request.Listing[audit.Entry, opsEntry]{
		Read: func(ctx context.Context, before int64, limit int) ([]audit.Entry, error) {
			return p.Audit.List(ctx, audit.Operators(request.Tenant(c)), before, limit, manage.OwnersAudit(ctx)...)
		},
		Num: manage.AuditNum, View: func(e *audit.Entry) opsEntry { return opsEntry{view.OfAuditEntry(e), actWords(v.in, e.Act)} },
	}.Items(c, request.Page)
	if err != nil {
		return err
	}
	v.Entries, v.More = list, request.MoreAt(auditPath, next)
	if v.Actors, err = render.NamesOf(c.Request.Context(), p.Render, request.Tenant(c), list, func(e *opsEntry) string { return e.By }); err != nil {
		return err
	}
	if request.Caller(c).May(access.KeysAdmin) {
		v.Export = route.AuditExport + "?format=csv"
	}
	return p.Render.Page(c, http.StatusOK, "ops_audit.html", v)
}
