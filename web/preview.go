package web

import (
	"context"
	"math"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// previewsAtOnce is how many uploads one process looks through side by side:
// each takes a core and some tens of megabytes. The others wait.
const previewsAtOnce = 2

// What a rate is made of: the last tasks of the kind, if they were not too
// small to say anything.
const (
	rateTasks = 20
	rateRows  = 100
)

// previewImport serves POST /imports/preview: what POST /tasks would make of
// the same request. Nothing of it is kept.
func (s *Server) previewImport(c *gin.Context) error {
	u := &ingest.Request{DryRun: true}
	w, err := s.readSource(c, u)
	defer func() { _ = s.ingest.Drop(c.Request.Context(), u) }() // a file without a name, of which nothing is left
	if err != nil {
		return err
	}
	if w.export != nil {
		return problem.BadMember("type", http.StatusUnprocessableEntity, "An export has no preview.")
	}
	v, err := s.preview(c, u, u.Scratch)
	if err != nil {
		return err
	}
	if err := u.CheckColumns(v.Columns); err != nil {
		return err
	}
	c.JSON(http.StatusOK, v)
	return nil
}

// preview reads the whole file of an upload, and returns what would become of it. The
// API and the page share the number of files that are read at once.
func (s *Server) preview(c *gin.Context, u *ingest.Request, f *blobs.File) (v view.Preview, err error) {
	ctx := c.Request.Context()
	select {
	case s.looking <- struct{}{}:
		defer func() { <-s.looking }()
	case <-ctx.Done():
		return v, ctx.Err()
	}
	found, err := importers.Look(ctx, f, f.Size, u.Kind, u.Options.Options, u.Lines)
	if err != nil {
		return v, err
	}
	view.Localizer{Kind: u.Kind, Lang: c.GetString(langKey)}.Preview(found)
	v = view.OfPreview(u.Kind.Name, u.FileName, found)
	v.EstimateS, err = s.estimate(ctx, s.tenant(c), u.Kind.Name, v.Counts.Valid)
	return v, err
}

// estimate is how many seconds so many rows will take, by the tasks of the kind
// that ended last; nil if none says anything.
func (s *Server) estimate(ctx context.Context, tenant, kind string, rows int64) (*int64, error) {
	last, err := s.opt.Tasks.List(ctx, tenant, tasks.Filter{Kind: kind, Limit: rateTasks})
	if err != nil {
		return nil, err
	}
	n, ms := int64(0), int64(0)
	for _, t := range last {
		if ran := t.Finish + t.Error; t.Status.Done() && t.StartedAt > 0 && ran >= rateRows {
			n += ran
			ms += max(t.FinishedAt-t.StartedAt, 1)
		}
	}
	if n == 0 {
		return nil, nil //nolint:nilnil // nothing is known
	}
	seconds := int64(math.Ceil(float64(rows) * float64(ms) / float64(n) / 1000))
	return &seconds, nil
}
