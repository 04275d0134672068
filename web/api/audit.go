package api

import (
	"context"
	"encoding/csv"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditPage answers with a page of the audit log of a subject. The argument `more` lists further subjects
// whose entries are included.
func (s *Handlers) auditPage(c *gin.Context, subject string, more ...string) error {
	return request.Listing[audit.Entry, view.AuditEntry]{
		Read: func(ctx context.Context, before int64, limit int) ([]audit.Entry, error) {
			return s.Audit.List(ctx, subject, before, limit, more...)
		},
		Num: manage.AuditNum, View: view.OfAuditEntry,
	}.Serve(c, s.Cursors.ListPage)
}

// listAudit serves GET /audit: the acts of the tenant's operators, newest first. For the owner of the service,
// it also lists the acts of the owner.
func (s *Handlers) listAudit(c *gin.Context) error {
	return s.auditPage(c, audit.Operators(request.Tenant(c)), manage.OwnersAudit(c.Request.Context())...)
}

// listKeyAudit serves GET /keys/{id}/audit: the changes of the API key, newest first.
func (s *Handlers) listKeyAudit(c *gin.Context, k *access.Key) error {
	return s.auditPage(c, audit.Key(k.ID))
}

// listTaskAudit serves GET /tasks/{id}/audit.
func (s *Handlers) listTaskAudit(c *gin.Context, t *tasks.Task) error {
	kind := auth.Kind(c.Request.Context(), s.Kinds, t.Kind)
	return request.Listing[audit.Entry, view.AuditEntry]{
		Read: func(ctx context.Context, before int64, limit int) ([]audit.Entry, error) {
			return s.Manage.TaskAudit(ctx, t, before, limit)
		},
		Num: manage.AuditNum, View: func(e *audit.Entry) view.AuditEntry { return view.OfTaskAuditEntry(t, kind, e) },
	}.Serve(c, s.Cursors.ListPage)
}

const actExport = "export-audit"

// exportAudit serves GET /audit/export: the entries of listAudit, oldest first, as JSON lines or CSV. It
// streams the entries, so the process does not hold the whole log in memory. If an error occurs while
// entries are sent, the response is incomplete. exportAudit adds an entry about the export to the log.
func (s *Handlers) exportAudit(c *gin.Context) error {
	format, err := request.OneOf(c, "format", "jsonl", "csv")
	if err != nil {
		return err
	}
	since, err := request.ReadTime(c, "at_gte")
	if err != nil {
		return err
	}
	until, err := request.ReadTime(c, "at_lt")
	if err != nil {
		return err
	}
	if until == 0 {
		until = s.Now().UnixMilli() + 1
	}
	if _, err := s.Manage.Note(c.Request.Context(), actExport, request.Tenant(c), nil, 1); err != nil {
		return err
	}
	entries := s.Audit.Span(c.Request.Context(), audit.Operators(request.Tenant(c)), since, until, manage.OwnersAudit(c.Request.Context())...)
	write, media := view.WriteAudit, view.MediaTypes["jsonl"]
	if format == "csv" {
		write, media = writeTable, view.MediaTypes["csv"]+"; charset=utf-8"
	}
	c.Header("Content-Type", media)
	c.Header("Content-Disposition", `attachment; filename="audit.`+exportSuffix(format)+`"`)
	c.Status(http.StatusOK)
	return write(c.Writer, entries)
}

func exportSuffix(format string) string {
	if format == "" {
		return "jsonl"
	}
	return format
}

var auditColumns = []string{"at", "by", "act", "target", "touched", "note", "detail"}

// writeTable writes entries as CSV. It escapes cells that a spreadsheet would evaluate as formulas.
func writeTable(w io.Writer, entries iter.Seq2[*audit.Entry, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(auditColumns); err != nil {
		return err
	}
	for e, err := range entries {
		if err != nil {
			return err
		}
		if err := out.Write(auditRow(e)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func auditRow(e *audit.Entry) []string {
	touched := strconv.FormatInt(e.Touched, 10)
	if e.Touched == audit.InProgress {
		touched = ""
	}
	row := []string{
		time.UnixMilli(e.At).UTC().Format(time.RFC3339Nano), e.Actor, e.Act, e.Target, touched, e.Detail.Note,
		string(e.Detail.Request),
	}
	for i := range row {
		row[i] = table.Guard(row[i])
	}
	return row
}
