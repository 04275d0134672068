package api

import (
	"cmp"
	"context"
	"iter"
	"path"
	"strings"
	"unicode"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// chosen maps each value of the parameter "only" to the statuses of the rows in the result; nil means
// all statuses.
var chosen = map[string][]events.Status{
	"":            nil,
	"all":         nil,
	"failed":      {events.Failed},
	"error":       {events.Error},
	"finish":      {events.Finish},
	"unprocessed": {events.Enqueue, events.Working, events.Canceled},
}

// getResult serves GET /tasks/{id}/result. For an export, it sends the file. For other tasks, it sends
// the rows with their outcomes, in the order of the upload. The default format is the format of the
// upload. Viewers receive masked values of sensitive columns. If an error occurs while rows are sent, the
// response is incomplete.
func (s *Handlers) getResult(c *gin.Context) error {
	only := c.Query("only")
	statuses, ok := chosen[only]
	if !ok {
		return problem.BadParameter("only", "only must be all, failed, error, finish or unprocessed.")
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), route.ReadTimeout)
	defer cancel()
	t, err := s.Tasks.Get(ctx, request.Tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	for _, name := range []string{"partial", "raw"} {
		if p := c.Query(name); p != "" && p != "true" && p != "false" {
			return problem.BadParameter(name, name+" must be true or false.")
		}
	}
	if t.Type == tasks.Export {
		return s.getExport(c, t)
	}
	kind := auth.Kind(c.Request.Context(), s.Kinds, t.Kind) // an unregistered kind has no types; all values are text
	r := results.Result{
		Task: t, Kind: kind, Rows: s.rowsOf(c.Request.Context(), t, events.Filter{Statuses: statuses, NotSuperseded: only == "failed"}),
		Raw: c.Query("raw") == "true", Masked: hides(c.Request.Context(), kind),
	}
	r.Rows = s.Locale.Localizer(c, t).Each(r.Rows)
	format := cmp.Or(c.Query("format"), r.Format())
	media := view.MediaTypes[format]
	if media == "" {
		return problem.BadParameter("format", "format must be xlsx, csv, tsv or jsonl.")
	}
	if strings.HasPrefix(media, "text/") {
		media += "; charset=" + r.Charset(format)
	}
	c.Header("Content-Type", media)
	c.Header("Content-Disposition", disposition(t, only, format))
	c.Header("Cache-Control", "no-store")
	return r.Write(c.Writer, format)
}

// rowsOf returns the rows of a task that match a filter. If the task is purged during the iteration, the
// sequence ends with an error, because rows may be missing.
func (s *Handlers) rowsOf(
	ctx context.Context, t *tasks.Task, f events.Filter,
) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		f.UpTo = t.Total
		for e, err := range s.Events.Each(ctx, t.Num, f) {
			if !yield(e, err) || err != nil {
				return
			}
		}
		look, cancel := context.WithTimeout(ctx, route.ReadTimeout)
		defer cancel()
		if _, err := s.Tasks.Get(look, t.Tenant, t.ID); err != nil {
			yield(nil, err)
		}
	}
}

// maxBase is the greatest number of characters that the name of a download takes from the upload's name.
const maxBase = 100

// disposition returns a Content-Disposition. Its file name begins with the name of the upload or, without
// one, with intake.DefaultName. The filter and the format follow.
func disposition(t *tasks.Task, only, format string) string {
	base := t.FileName
	if packed := path.Ext(base); strings.EqualFold(packed, ".gz") || strings.EqualFold(packed, ".zip") {
		base = strings.TrimSuffix(base, packed)
	}
	base = strings.Map(safeRune, strings.TrimSuffix(base, path.Ext(base)))
	base = strings.Trim(base, ". ")
	if r := []rune(base); len(r) > maxBase {
		base = string(r[:maxBase])
	}
	base = cmp.Or(base, intake.DefaultName)
	if only != "" && only != "all" {
		base += "-" + only
	}
	return attachment(base + "." + format)
}

// safeRune replaces a character by "_" if some system rejects it in file names or gives it a special
// meaning. It also replaces invisible characters, which could disguise a name.
func safeRune(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|%`, r) || !unicode.IsPrint(r) && r != ' ' {
		return '_'
	}
	return r
}
