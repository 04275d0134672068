package intake

import (
	"context"
	"math"
	"slices"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/view"
)

// MaxPreviews is the number of uploads that one process checks at the same time. Further uploads wait,
// because each check takes a core and some tens of megabytes.
const MaxPreviews = 2

// estimate computes the rate of a kind from its last rateTasks tasks. It leaves out unfinished tasks. It
// also leaves out tasks in which fewer than rateRows rows ran, because their rates are not reliable.
const (
	rateTasks = 20
	rateRows  = 100
)

// Preview reads the whole file of an upload, and returns the result that its import would have. It
// waits while MaxPreviews other calls run.
func (s *Reader) Preview(ctx context.Context, lang string, u *ingest.Request, f *blobs.File) (v view.Preview, err error) {
	select {
	case s.Looking <- struct{}{}:
		defer func() { <-s.Looking }()
	case <-ctx.Done():
		return v, ctx.Err()
	}
	found, err := importers.Look(ctx, f, f.Size, u.Kind, u.Options.Options, u.Lines)
	if err != nil {
		return v, err
	}
	view.Localizer{Kind: u.Kind, Lang: lang}.Preview(found)
	v = view.OfPreview(u.Kind.Name, u.FileName, found)
	v.EstimateS, err = s.estimate(ctx, auth.Tenant(ctx), u.Kind.Name, v.Counts.Valid)
	return v, err
}

// estimate returns the expected number of seconds that rows take. It uses the median of the rates of the
// last tasks of the kind, because the median ignores a few slow tasks. It returns nil if there is no
// rate.
func (s *Reader) estimate(ctx context.Context, tenant, kind string, rows int64) (*int64, error) {
	last, err := s.Tasks.List(ctx, tenant, tasks.Filter{Kind: kind, Limit: rateTasks})
	if err != nil {
		return nil, err
	}
	var pace []float64 // ms for each row
	for _, t := range last {
		if ran := t.Finish + t.Error; t.Status.Done() && t.StartedAt > 0 && ran >= rateRows {
			pace = append(pace, float64(max(t.FinishedAt-t.StartedAt, 1))/float64(ran))
		}
	}
	if len(pace) == 0 {
		return nil, nil //nolint:nilnil // no estimate
	}
	slices.Sort(pace)
	seconds := int64(math.Ceil(float64(rows) * pace[(len(pace)-1)/2] / 1000))
	return &seconds, nil
}
