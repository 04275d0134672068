package exporters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the codes of problems of exports whose file cannot be written.
const (
	CodePlanFailed = "EXPORT_PLAN_FAILED" // the parts could not be planned: a fault of the service
	CodeOutdated   = "EXPORT_OUTDATED"    // the kind has changed since the request
	CodePartsGone  = "EXPORT_PARTS_GONE"  // rows of parts are missing or damaged in the store
)

// plan plans an export, and adds all its parts to the ledger in one commit. If no further attempt can
// succeed, it stores a problem of the task instead. If one may succeed, it returns the error.
func (r *Runner) plan(ctx context.Context, t *tasks.Task, claim tasks.Claim) error {
	rows, err := r.planned(ctx, t)
	var problem *tasks.Problem
	if err != nil && ctx.Err() == nil {
		problem = r.planProblem(ctx, t, err)
	}
	if err != nil && problem == nil {
		return err
	}
	chunk := events.Chunk{
		Num: t.Num, Claim: int64(claim), TTL: r.opt.Claim, Rows: rows, Count: true, Final: true,
	}
	if problem != nil {
		chunk.Rows, chunk.Problem = nil, problem
	}
	failpoint.Hit("planned")
	_, err = r.events.Append(ctx, chunk)
	return err
}

func (r *Runner) planned(ctx context.Context, t *tasks.Task) (_ []events.Draft, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.opt.Plan)
	defer cancel()
	defer func() {
		if p := recover(); p != nil { // counts as a failed try
			err = fmt.Errorf("exporters: plan of %s: panic: %v", t.ID, p)
		}
	}()
	kind, _ := r.kinds.Kind(t.Kind)
	if _, err := formOf(t, kind); err != nil {
		return nil, err
	}
	req, err := Request(t)
	if err != nil {
		return nil, err
	}
	return kind.Export.Plan(ctx, t.ID, t.Tenant, req)
}

// planProblem returns the problem of an export that cannot be planned because of err. It returns
// nil if another attempt may succeed.
func (r *Runner) planProblem(ctx context.Context, t *tasks.Task, err error) *tasks.Problem {
	v := jobs.ClassifyError(ctx, err, errNever)
	switch {
	case v.Kind == jobs.Failed:
		return &tasks.Problem{Code: v.Failure.Code, Detail: v.Failure.Message, Column: v.Failure.Column}
	case errors.Is(err, ErrOutdated):
		return outdated
	case r.failures(t.Num) < planTries-1 && v.Kind != jobs.Dead:
		return nil
	}
	r.opt.Log.Error("export cannot be planned", "task", t.ID, "err", err)
	return &tasks.Problem{
		Code:   CodePlanFailed,
		Detail: "The service could not determine the contents of the file. Start the export again later.",
	}
}

var (
	errNever = errors.New("never") // no context ends with it, so ClassifyError reports no interruption by a stop

	outdated = &tasks.Problem{
		Code:   CodeOutdated,
		Detail: "The columns of this export have changed meanwhile. Start it again.",
	}
)

// merge writes the file of an export from its parts, and ends the task. If the kind has changed or a file of
// a part is missing, it ends the task with a problem. It does the same if a file is damaged after mergeTries
// attempts. After another error, the merge runs again later.
func (r *Runner) merge(ctx context.Context, t *tasks.Task, claim tasks.Claim) error {
	name, err := Name(t)
	if err != nil {
		return err
	}
	info, rows, err := r.store(ctx, t)
	switch {
	case errors.Is(err, ErrOutdated):
		return r.events.CannotMerge(ctx, t.Num, int64(claim), outdated)
	case errors.Is(err, blobs.ErrNotFound):
		return r.events.CannotMerge(ctx, t.Num, int64(claim), &tasks.Problem{
			Code:   CodePartsGone,
			Detail: "The service has lost rows of this file. Start the export again.",
		})
	case errors.Is(err, errDamaged) && r.failures(t.Num) >= mergeTries-1:
		return r.events.CannotMerge(ctx, t.Num, int64(claim), &tasks.Problem{
			Code:   CodePartsGone,
			Detail: "Rows of this file are damaged in the storage of the service. Start the export again.",
		})
	case err != nil:
		return err
	}
	failpoint.Hit("stored")
	err = r.events.Merge(ctx, events.Merged{
		Num: t.Num, Claim: int64(claim), FileID: info.ID, Name: name, Size: info.Size,
		SHA256: info.SHA256, Rows: rows,
	})
	if errors.Is(err, events.ErrClaimLost) {
		return errors.Join(err, r.parts.files.Delete(ctx, info.ID))
	}
	if err != nil { // the commit may have succeeded: the sweep checks that
		return err
	}
	failpoint.Hit("merged")
	if err := r.clear(ctx, t); err != nil && ctx.Err() == nil { // retention deletes the files later
		r.opt.Log.Warn("files of the parts of an export are not deleted yet", "task", t.ID, "err", err)
	}
	return nil
}

// store writes the file of an export to the blob store, whole or not at all.
func (r *Runner) store(ctx context.Context, t *tasks.Task) (info blobs.Info, rows int64, err error) {
	kind, _ := r.kinds.Kind(t.Kind)
	in, out := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		n, err := r.parts.Write(ctx, out, t, kind, r.events)
		rows = n
		_ = out.CloseWithError(err) // never fails
	}()
	info, err = r.parts.files.Put(ctx, in, math.MaxInt64-1)
	_ = in.CloseWithError(err) // never fails
	<-written
	return info, rows, err
}

// clear deletes the files of the parts of an export.
func (r *Runner) clear(ctx context.Context, t *tasks.Task) error {
	files, err := r.tasks.PartFiles(ctx, t.Num)
	for _, f := range files {
		if err == nil {
			err = r.parts.files.Delete(ctx, f.FileID)
		}
		if err == nil {
			err = r.tasks.MarkFileDeleted(ctx, f)
		}
	}
	return err
}
