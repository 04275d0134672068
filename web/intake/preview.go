package intake

import (
	"context"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/estimate"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/view"
)

// MaxPreviews is the number of uploads that one process checks at the same time. Further uploads
// wait, because each check takes a core and tens of megabytes of memory.
const MaxPreviews = 2

// Preview reads the whole file of an upload, and returns the result that its import would have. It
// waits while MaxPreviews other calls run.
func (s *Reader) Preview(ctx context.Context, lang string, u *ingest.Request, f *blobs.File) (v view.Preview, err error) {
	select {
	case s.Looking <- struct{}{}:
		defer func() { <-s.Looking }()
	case <-ctx.Done():
		return v, ctx.Err()
	}
	found, err := importers.ReadPreview(ctx, f, f.Size, u.Kind, u.Options.Options, u.Lines)
	if err != nil {
		return v, err
	}
	view.Localizer{Kind: u.Kind.WithHeadings(view.Headings(found.Columns)), Lang: lang}.Preview(found)
	v = view.OfPreview(u.Kind.Name, u.FileName, found)
	v.EstimateS, err = estimate.Seconds(ctx, s.Tasks, s.Events, tasks.Filter{Kind: u.Kind.Name}, auth.Tenant(ctx), v.Counts.Valid)
	return v, err
}
