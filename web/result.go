package web

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// chosen are the statuses behind the values of only.
var chosen = map[string][]events.Status{
	"":            nil,
	"all":         nil,
	"failed":      {events.Failed},
	"error":       {events.Error},
	"finish":      {events.Finish},
	"unprocessed": {events.Enqueue, events.Working, events.Canceled},
}

// mediaTypes are the formats of a result.
var mediaTypes = map[string]string{
	"csv":   "text/csv; charset=utf-8",
	"jsonl": "application/x-ndjson",
	"xlsx":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// getResult serves GET /tasks/{id}/result: the rows in the order of the upload
// and what became of each.
func (s *Server) getResult(c *gin.Context) error {
	only, format := c.Query("only"), c.DefaultQuery("format", "xlsx")
	statuses, ok := chosen[only]
	if !ok {
		return badQuery("only", "only must be all, failed, error, finish or unprocessed.")
	}
	if mediaTypes[format] == "" {
		return badQuery("format", "format must be xlsx, csv or jsonl.")
	}
	t, err := s.opt.Tasks.Get(c, s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	r := importers.Result{
		Task: t, Rows: s.opt.Events.Each(c, t.Num, events.Filter{Statuses: statuses, UpTo: t.Total}),
	}
	c.Header("Content-Type", mediaTypes[format])
	c.Header("Content-Disposition", disposition(t, only, format))
	c.Header("Cache-Control", "no-store")
	return s.writeResult(c.Writer, r, format)
}

func (s *Server) writeResult(w io.Writer, r importers.Result, format string) error {
	switch format {
	case "csv":
		return r.WriteCSV(w)
	case "jsonl":
		return r.WriteJSONL(w)
	}
	return r.WriteXLSX(w, s.numeric(r.Task.Kind))
}

// numeric tells which fields of a kind hold numbers.
func (s *Server) numeric(name string) func(field string) bool {
	kind, _ := s.opt.Kinds.Kind(name) // of a kind that is gone, all is text
	is := map[string]bool{}
	if kind.Schema != nil {
		for _, f := range kind.Schema.Fields {
			is[f.Name] = f.Type == "number" || f.Type == "integer"
		}
	}
	return func(field string) bool { return is[field] }
}

// disposition names the download after the upload, as RFC 6266 asks.
func disposition(t *tasks.Task, only, format string) string {
	base := strings.TrimSuffix(t.FileName, path.Ext(t.FileName))
	if only != "" && only != "all" {
		base += "-" + only
	}
	return mime.FormatMediaType("attachment", map[string]string{"filename": fmt.Sprintf("%s.%s", base, format)})
}

// getHealth serves GET /healthz: the process lives.
func (s *Server) getHealth(c *gin.Context) error {
	c.JSON(http.StatusOK, gin.H{"status": "ok"})
	return nil
}

// getReady serves GET /readyz: the process can do its work now.
func (s *Server) getReady(c *gin.Context) error {
	if err := s.opt.Ready(c); err != nil {
		s.opt.Log.WarnContext(c, "not ready", "err", err)
		c.Header("Retry-After", "5")
		return refuse(http.StatusServiceUnavailable, "NOT_READY", "The service cannot work now. Try again soon.")
	}
	c.JSON(http.StatusOK, gin.H{"status": "ready"})
	return nil
}
