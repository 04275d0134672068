package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/rollcall-dev/rollcall/importers/corrections"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
	"github.com/rollcall-dev/rollcall/worker"
)

var errClosed = problem.New(http.StatusConflict, "WRONG_STATUS",
	"Rows of a canceled task, or of a task refused as a whole, cannot be corrected. Upload the file again.")

// correct serves POST /tasks/{id}/corrections: a result file that a person has
// worked on. Rows that changed are repaired and run again.
func (s *Server) correct(c *gin.Context) error {
	v, err := s.takeCorrections(c)
	if err != nil {
		return err
	}
	status := http.StatusAccepted
	if v.DryRun {
		status = http.StatusOK
	}
	c.Header("Location", v.Links["self"])
	c.JSON(status, v)
	return nil
}

// takeCorrections reads a corrected file and does what it asks for.
func (s *Server) takeCorrections(c *gin.Context) (v view.Corrections, err error) {
	ctx := c.Request.Context()
	t, err := s.taskOf(c)
	if err != nil {
		return v, err
	}
	kind, err := s.ingest.Kind(t.Kind)
	if err != nil {
		return v, err
	}
	if review.Closed(t) {
		return v, errClosed
	}
	in, err := s.readCorrections(c, kind)
	if err != nil {
		return v, err
	}
	fix, err := s.correctionsOf(c, t, kind, in)
	var report corrections.Report
	if err == nil {
		report, err = s.runCorrections(ctx, fix, in)
	}
	if errors.Is(err, events.ErrClosed) {
		err = errClosed
	}
	if err = errors.Join(err, s.ingest.Drop(ctx, &in.Request)); err != nil {
		return v, err
	}
	if !in.dry && report.Resubmitted > 0 {
		s.ringFor(ctx, worker.FeedTopic)
	}
	s.cache.Invalidate(t.Tenant, t.ID)
	return s.localizer(c, t).Corrections(t, report, in.dry), nil
}

func (s *Server) runCorrections(
	ctx context.Context, fix corrections.Corrections, in *correctionsUpload,
) (corrections.Report, error) {
	f, err := s.opt.Files.Get(ctx, in.File.ID)
	if err != nil {
		return corrections.Report{}, err
	}
	defer f.Close()
	return fix.Run(ctx, f, in.File.Size)
}

// correctionsOf compares a file with the rows of a task, and has the judge decide about
// those that differ.
func (s *Server) correctionsOf(
	c *gin.Context, t *tasks.Task, kind worker.Kind, in *correctionsUpload,
) (corrections.Corrections, error) {
	opt := in.Options.Options
	opt.Name, opt.Limits = in.FileName, s.opt.Limits
	desk, err := s.desk().Corrector(t, review.Correction{
		By: s.actor(c), Detail: correctionsDetail(in), DryRun: in.dry, Anyway: in.anyway,
	})
	return corrections.Corrections{
		Task: t, Kind: kind, Options: opt.Reading(),
		Look: func(ctx context.Context, seqs []int64) ([]events.Event, error) {
			return s.opt.Events.Some(ctx, t.Num, seqs)
		},
		Apply: func(ctx context.Context, list []corrections.Correction) ([]corrections.Verdict, error) {
			return applyTo(ctx, desk, list)
		},
	}, err
}

// applyTo hands corrections to the judge, and its verdicts back.
func applyTo(
	ctx context.Context, desk *review.Corrector, list []corrections.Correction,
) ([]corrections.Verdict, error) {
	trials := make([]review.Trial, len(list))
	for i, fix := range list {
		trials[i] = review.Trial{Event: fix.Event, Cells: fix.Cells, Named: true, Found: fix.Found}
	}
	verdicts, err := desk.Apply(ctx, trials)
	out := make([]corrections.Verdict, len(verdicts))
	for i, v := range verdicts {
		out[i] = corrections.Verdict(v)
	}
	return out, err
}

// correctionsDetail is what the audit says of all rows of a file.
func correctionsDetail(in *correctionsUpload) json.RawMessage {
	b, _ := json.Marshal(map[string]any{"corrections": map[string]string{ // texts always encode
		"file": in.FileName, "sha256": in.File.SHA256,
	}})
	return b
}
