package web

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditExport is the path of the export.
const auditExport = "/api/v1/audit/export"

// actExport is the act of an export in the audit log.
const actExport = "export-audit"

// WriteAudit writes entries of the audit log as JSON, one a line, as GET /audit/export does.
func WriteAudit(w io.Writer, entries iter.Seq2[*audit.Entry, error]) error {
	return writeLines(w, entries)
}

// exportAudit serves GET /audit/export: the audit log of operators and administrators of the
// tenant, oldest first, as JSON lines or CSV. It streams, so a long log costs little memory;
// an answer that breaks off has met a fault. The export is in the log, too.
func (s *Server) exportAudit(c *gin.Context) error {
	format, err := oneOf(c, "format", "jsonl", "csv")
	if err != nil {
		return err
	}
	since, err := readTime(c, "at_gte")
	if err != nil {
		return err
	}
	until, err := readTime(c, "at_lt")
	if err != nil {
		return err
	}
	if until == 0 {
		until = s.opt.Now().UnixMilli() + 1
	}
	if _, err := s.noteDeed(c, actExport, s.tenant(c), nil, 1); err != nil {
		return err
	}
	entries := s.opt.Audit.Span(c.Request.Context(), audit.Operators(s.tenant(c)), since, until, ownersAudit(c)...)
	write, media := writeLines, mediaTypes["jsonl"]
	if format == "csv" {
		write, media = writeTable, mediaTypes["csv"]+"; charset=utf-8"
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

// writeLines writes entries as JSON, one a line.
func writeLines(w io.Writer, entries iter.Seq2[*audit.Entry, error]) error {
	out := json.NewEncoder(w)
	for e, err := range entries {
		if err != nil {
			return err
		}
		if err := out.Encode(view.OfAuditEntry(e)); err != nil {
			return err
		}
	}
	return nil
}

// auditColumns are the headings of an export as CSV.
var auditColumns = []string{"at", "by", "act", "target", "touched", "note", "detail"}

// writeTable writes entries as CSV. Texts that a spreadsheet would run are defused.
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
