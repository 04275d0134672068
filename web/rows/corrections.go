package rows

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/corrections"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

var errClosed = problem.New(http.StatusConflict, "WRONG_STATUS",
	"Rows of a canceled task, or of a task refused as a whole, cannot be corrected. Upload the file again.")

// TakeCorrections reads a corrected file from a request and applies it to the task. In a dry run, it
// changes no rows. It returns a problem for a task whose rows can no longer be changed.
func (s *Service) TakeCorrections(body intake.Body, t *tasks.Task, words view.Localizer) (v view.Corrections, err error) {
	ctx := body.R.Context()
	kind, err := s.Ingest.Kind(t.Kind)
	if err != nil {
		return v, err
	}
	if review.Closed(t) {
		return v, errClosed
	}
	in, err := s.Intake.ReadCorrections(body, kind)
	if err != nil {
		return v, err
	}
	fix, err := s.correctionsOf(ctx, t, kind, in)
	var report corrections.Report
	if err == nil {
		report, err = s.runCorrections(ctx, fix, in)
	}
	if errors.Is(err, events.ErrClosed) {
		err = errClosed
	}
	if err = errors.Join(err, s.Ingest.Drop(ctx, &in.Request)); err != nil {
		return v, err
	}
	if !in.DryRun && report.Resubmitted > 0 {
		s.Wake(ctx, jobs.FeedTopic)
	}
	s.Cache.Invalidate(t.Tenant, t.ID)
	return words.Corrections(t, report, in.DryRun), nil
}

func (s *Service) runCorrections(
	ctx context.Context, fix corrections.Corrections, in *intake.Corrections,
) (corrections.Report, error) {
	f, err := s.Files.Get(ctx, in.File.ID)
	if err != nil {
		return corrections.Report{}, err
	}
	defer f.Close()
	return fix.Run(ctx, f, in.File.Size)
}

// correctionsOf returns the object that compares a corrected file with the rows of a task and applies
// the changed rows.
func (s *Service) correctionsOf(
	ctx context.Context, t *tasks.Task, kind jobs.Kind, in *intake.Corrections,
) (corrections.Corrections, error) {
	opt := in.Options.Options
	opt.Name, opt.Limits = in.FileName, s.Limits
	corrector, err := s.Reviewer().Corrector(t, review.Correction{
		By: auth.Actor(ctx), Detail: correctionsDetail(in), DryRun: in.DryRun, Anyway: in.Anyway,
	})
	return corrections.Corrections{
		Task: t, Kind: kind, Options: opt.Reading(),
		Look: func(ctx context.Context, seqs []int64) ([]events.Event, error) {
			return s.Events.Some(ctx, t.Num, seqs)
		},
		Apply: func(ctx context.Context, list []corrections.Correction) ([]corrections.RowResult, error) {
			return applyTo(ctx, corrector, list)
		},
	}, err
}

// applyTo applies the changed rows of a corrected file to a task, and returns the result of each row.
func applyTo(
	ctx context.Context, corrector *review.Corrector, list []corrections.Correction,
) ([]corrections.RowResult, error) {
	trials := make([]review.RowChange, len(list))
	for i, fix := range list {
		trials[i] = review.RowChange{Event: fix.Event, Cells: fix.Cells, Named: true, Found: fix.Found}
	}
	results, err := corrector.Apply(ctx, trials)
	out := make([]corrections.RowResult, len(results))
	for i, v := range results {
		out[i] = corrections.RowResult(v)
	}
	return out, err
}

// correctionsDetail returns the detail for the audit entries about the rows of a corrected file.
func correctionsDetail(in *intake.Corrections) json.RawMessage {
	b, _ := json.Marshal(map[string]any{"corrections": map[string]string{ // texts always encode
		"file": in.FileName, "sha256": in.File.SHA256,
	}})
	return b
}
