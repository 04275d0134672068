package web

import (
	"cmp"
	"context"
	"io"
	"mime"
	"path"
	"strings"
	"unicode"

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
	ctx, cancel := context.WithTimeout(c.Request.Context(), readTimeout)
	defer cancel()
	t, err := s.opt.Tasks.Get(ctx, s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	r := importers.Result{
		Task: t, Rows: s.opt.Events.Each(c.Request.Context(), t.Num,
			events.Filter{Statuses: statuses, UpTo: t.Total}),
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

// maxBase bounds the name of a download, without its ending, in characters.
const maxBase = 100

// disposition names the download after the upload, as RFC 6266 asks.
func disposition(t *tasks.Task, only, format string) string {
	base := strings.Map(harmless, strings.TrimSuffix(t.FileName, path.Ext(t.FileName)))
	base = strings.Trim(base, ". ")
	if r := []rune(base); len(r) > maxBase {
		base = string(r[:maxBase])
	}
	base = cmp.Or(base, defaultFor)
	if only != "" && only != "all" {
		base += "-" + only
	}
	return mime.FormatMediaType("attachment", map[string]string{"filename": base + "." + format})
}

// harmless replaces what some system does not take in the name of a file, or
// what makes a name look like another.
func harmless(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|%`, r) || !unicode.IsPrint(r) && r != ' ' {
		return '_'
	}
	return r
}
