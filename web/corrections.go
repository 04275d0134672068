package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/worker"
)

// correctionsView is what became of a corrected file.
type correctionsView struct {
	DryRun       bool                 `json:"dry_run"`
	Matched      int                  `json:"matched"`
	Changed      int                  `json:"changed"`
	Resubmitted  int                  `json:"resubmitted"`
	Superseded   int                  `json:"superseded" doc:"Part of 'resubmitted': rows that end as superseded, for a newer row of their key has finished."`
	StillInvalid int                  `json:"still_invalid"`
	Refused      int                  `json:"refused"`
	Conflicts    int                  `json:"conflicts"`
	Unchanged    int                  `json:"unchanged"`
	Message      string               `json:"message"`
	Rows         []correctionsRowView `json:"rows" doc:"Those that changed and yet do not run again."`
	Warnings     []string             `json:"warnings"`
	Links        map[string]string    `json:"links" schema:"ref=Links"`
}

// correctionsRowView is a row of the file that does not run again although it
// was changed.
type correctionsRowView struct {
	Row     int     `json:"row" doc:"In the corrected file."`
	EventID string  `json:"event_id"`
	Column  *string `json:"column"`
	Code    string  `json:"code"`
	Detail  string  `json:"detail"`
}

var errClosed = problem.New(http.StatusConflict, "WRONG_STATUS",
	"Rows of a task that is canceled, or of which nothing was to run unless all are valid, cannot be corrected.")

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
func (s *Server) takeCorrections(c *gin.Context) (v correctionsView, err error) {
	ctx := c.Request.Context()
	t, err := s.taskOf(c)
	if err != nil {
		return v, err
	}
	kind, err := s.kindOf(t.Kind)
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
	var report importers.Report
	if err == nil {
		report, err = s.runCorrections(ctx, fix, in)
	}
	if errors.Is(err, events.ErrClosed) {
		err = errClosed
	}
	if err = errors.Join(err, s.drop(ctx, &in.upload)); err != nil {
		return v, err
	}
	if !in.dry && report.Resubmitted > 0 {
		s.ringFor(ctx, worker.FeedTopic)
	}
	s.board.forget(t.Tenant, t.ID)
	return s.voice(c, t).corrections(t, report, in.dry), nil
}

func (s *Server) runCorrections(
	ctx context.Context, fix importers.Corrections, in *corrections,
) (importers.Report, error) {
	f, err := s.opt.Files.Get(ctx, in.file.ID)
	if err != nil {
		return importers.Report{}, err
	}
	defer f.Close()
	return fix.Run(ctx, f, in.file.Size)
}

// correctionsOf compares a file with the rows of a task, and has the judge decide about
// those that differ.
func (s *Server) correctionsOf(
	c *gin.Context, t *tasks.Task, kind worker.Kind, in *corrections,
) (importers.Corrections, error) {
	opt := in.options.Options
	opt.Name, opt.Limits = in.called, s.opt.Limits
	desk, err := s.desk().Corrector(t, review.Correction{
		By: s.actor(c), Detail: correctionsDetail(in), DryRun: in.dry, Anyway: in.anyway,
	})
	return importers.Corrections{
		Task: t, Kind: kind, Options: opt,
		Look: func(ctx context.Context, seqs []int64) ([]events.Event, error) {
			return s.opt.Events.Some(ctx, t.Num, seqs)
		},
		Apply: func(ctx context.Context, list []importers.Correction) ([]importers.Verdict, error) {
			return applyTo(ctx, desk, list)
		},
	}, err
}

// applyTo hands corrections to the judge, and its verdicts back.
func applyTo(
	ctx context.Context, desk *review.Corrector, list []importers.Correction,
) ([]importers.Verdict, error) {
	trials := make([]review.Trial, len(list))
	for i, fix := range list {
		trials[i] = review.Trial{Event: fix.Event, Cells: fix.Cells, Named: true, Found: fix.Found}
	}
	verdicts, err := desk.Apply(ctx, trials)
	out := make([]importers.Verdict, len(verdicts))
	for i, v := range verdicts {
		out[i] = importers.Verdict(v)
	}
	return out, err
}

// correctionsDetail is what the audit says of all rows of a file.
func correctionsDetail(in *corrections) json.RawMessage {
	b, _ := json.Marshal(map[string]any{"corrections": map[string]string{ // texts always encode
		"file": in.called, "sha256": in.file.SHA256,
	}})
	return b
}

func (v voice) corrections(t *tasks.Task, r importers.Report, dry bool) correctionsView {
	out := correctionsView{
		DryRun: dry, Matched: r.Matched, Changed: r.Changed, Resubmitted: r.Resubmitted,
		Superseded: r.Superseded, StillInvalid: r.StillInvalid, Refused: r.Refused, Conflicts: r.Conflicts, Unchanged: r.Unchanged,
		Rows: []correctionsRowView{}, Warnings: append([]string{}, r.Warnings...), Links: links(t.ID),
		Message: v.summary(r, dry),
	}
	for _, f := range r.Findings {
		out.Rows = append(out.Rows, correctionsRowView{
			f.Row, events.NewID(t.Num, f.Seq).JobID(t.ID), optional(f.Column), f.Code, v.finding(f),
		})
	}
	return out
}

// finding is why a row of a corrected file does not run again: what is wrong with it,
// or how it stands.
func (v voice) finding(f importers.Finding) string {
	if f.Args == "" {
		return problem.DetailIn(v.lang, f.Code, f.Detail, f.Row, nil)
	}
	return v.field(events.Field{Column: f.Column, Code: f.Code, Message: f.Detail, Args: f.Args}).Message
}

// summary sums a report up.
func (v voice) summary(r importers.Report, dry bool) string {
	key := "corrections.done"
	switch {
	case r.Changed == 0:
		key = "corrections.none"
	case dry:
		key = "corrections.dry"
	}
	text, _ := words.Say(v.lang, key, map[string]string{ // it has all that it asks for
		"changed": strconv.Itoa(r.Changed), "matched": strconv.Itoa(r.Matched), "n": strconv.Itoa(r.Resubmitted),
	})
	return text
}
