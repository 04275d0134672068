package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

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

// opsEntry is an entry of the audit log, with its act as a text, and with the values of its request.
type opsEntry struct {
	view.AuditEntry
	Did   string
	Facts []opsFact
}

// opsFact is a named value of the request in an audit entry.
type opsFact struct{ Name, Value string }

func newEntry(in locale.Printer, e view.AuditEntry) opsEntry {
	out := opsEntry{AuditEntry: e, Did: actWords(in, e.Act)}
	if e.Note != "" {
		out.Facts = append(out.Facts, opsFact{in.Text("ops.audit.is.note"), e.Note})
	}
	var request map[string]any
	read := json.NewDecoder(bytes.NewReader(e.Detail))
	read.UseNumber()
	if read.Decode(&request) != nil { // the entry may have no request
		return out
	}
	for _, name := range rows.SortedKeys(request) {
		if value := factValue(in, name, request[name]); value != "" {
			out.Facts = append(out.Facts, opsFact{factName(in, name), value})
		}
	}
	if e.Act == "limits" && len(out.Facts) == 0 {
		out.Facts = []opsFact{{in.Text("ops.audit.is.limits"), in.Text("ops.audit.is.none")}}
	}
	return out
}

// factName returns the text for the name of a value; the name itself if there is no text.
func factName(in locale.Printer, name string) string {
	key := "ops.audit.is." + name
	switch at, _ := new(tasks.Limits).Field(name); {
	case at != nil:
		key = "ops.limit." + name
	case name == "weight":
		key = "ops.tenants.weight"
	case name == "run_hours":
		key = "ops.tenants.hours"
	}
	if text := in.Text(key); text != "page."+key {
		return text
	}
	return name
}

// factValue returns a value as a text; "" for a limit that is not set, and for a missing value.
func factValue(in locale.Printer, name string, value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if name == "error" {
			return in.Text("ops.audit.is.broken")
		}
		return v
	case json.Number:
		n, err := v.Int64()
		limit, _ := new(tasks.Limits).Field(name)
		switch {
		case err != nil:
			return v.String()
		case limit != nil && n == 0:
			return ""
		case limit != nil:
			return limitText(name, n)
		}
		return in.Integer(n)
	case []any:
		texts := view.All(v, func(one *any) string { return factValue(in, "", *one) })
		return strings.Join(texts, in.Text("list"))
	}
	text, _ := json.Marshal(value) // no error: the value was decoded from JSON
	return string(text)
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
		Num: manage.AuditNum, View: func(e *audit.Entry) opsEntry { return newEntry(v.in, view.OfAuditEntry(e)) },
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
