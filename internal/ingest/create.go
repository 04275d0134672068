package ingest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Import commits the task of a stored file or of rows, and returns it. The result `old` is true if another
// request has created the returned task. It is false for the task of an earlier attempt of this request,
// and for the task that was created from the upload.
//
// Import removes a file that certainly belongs to no task, unless the file belongs to an upload. Errors
// after the commit are only logged.
func (s *Service) Import(ctx context.Context, r *Request) (t *tasks.Task, old bool, err error) {
	failpoint.Hit("stored")
	if t, err = s.ofUpload(ctx, r); t == nil && err == nil {
		t, old, err = s.Accept(ctx, r)
	}
	if err != nil {
		return nil, false, errors.Join(err, s.Drop(ctx, r))
	}
	if old || t.FileID != r.File.ID { // the task has its own file
		s.dropDuplicate(ctx, r, t)
		return t, old || r.Upload != "", nil
	}
	failpoint.Hit("accepted")
	s.Wake(ctx, r.topic())
	return t, false, nil
}

// ofUpload returns the task that was created from the upload of a request, or nil.
func (s *Service) ofUpload(ctx context.Context, r *Request) (*tasks.Task, error) {
	if r.Upload == "" {
		return nil, nil //nolint:nilnil // a request without an upload
	}
	t, err := s.Tasks.Get(ctx, r.Tenant, r.TaskID)
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, nil //nolint:nilnil // the upload has no task yet
	}
	return t, err
}

// dropDuplicate removes the file of a request that returns an existing task. If the file belongs to an
// upload, uploads.Store.Settle removes the file instead.
func (s *Service) dropDuplicate(ctx context.Context, r *Request, t *tasks.Task) {
	err := s.Drop(ctx, r)
	if r.Upload != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
		defer cancel()
		err = s.Uploads.Settle(ctx, r.Upload, t.ID)
	}
	if err != nil {
		s.Log.ErrorContext(ctx, "the file of a duplicate is left to the sweep", "task", t.ID, "err", err)
	}
}

// Accept commits the task of a stored file or of rows, and returns it. The result `old` is true if another
// request has created the returned task. With the option dedup=reject, Accept returns an error instead of
// that task. Unlike Import, it removes no file, wakes no process, and does not search for a task that was
// created from the upload.
func (s *Service) Accept(ctx context.Context, r *Request) (t *tasks.Task, old bool, err error) {
	in, err := s.inspect(ctx, r)
	if err != nil {
		return nil, false, err
	}
	if err := r.CheckColumns(in.Columns); err != nil {
		return nil, false, err
	}
	made := s.newTask(r)
	made.Columns, made.Warnings, made.Hold = in.Columns, in.Warnings, r.Options.Hold()
	r.Options.Decimal = in.Decimal
	if made.Options, err = r.Options.shown(); err != nil {
		return nil, false, err
	}
	made.Source = tasks.Source{
		FileID: r.File.ID, FileName: r.FileName, FileSheet: in.Sheet, FileFormat: in.Format,
		FileSize: r.File.Size, FileSHA256: r.File.SHA256, HeaderRow: in.HeaderRow,
		FileEncoding: in.Encoding, FileDelimiter: in.Delimiter,
	}
	t, err = s.commit(ctx, r, made)
	if err == nil && t.ID != made.ID && r.Options.Dedup == dedupReject {
		err = duplicate(t)
	}
	return t, err == nil && t.ID != made.ID, err
}

// inspect reads the head of a request's file or rows: the format, the headings and the first rows.
func (s *Service) inspect(ctx context.Context, r *Request) (importers.Inspection, error) {
	if r.rows != nil {
		return importers.InspectJSONLines(bytes.NewReader(r.rows), r.Kind)
	}
	f, err := s.Files.Get(ctx, r.File.ID)
	if err != nil {
		return importers.Inspection{}, err
	}
	defer f.Close()
	return r.Inspect(f)
}

// Inspect reads the head of a request's file: the format, the headings and the first rows.
func (r *Request) Inspect(f *blobs.File) (importers.Inspection, error) {
	if r.Lines {
		return importers.InspectJSONLines(f, r.Kind)
	}
	return importers.Inspect(f, f.Size, r.Kind, r.Options.Options)
}

// newTask returns a new task with the fields that the request sets.
func (s *Service) newTask(r *Request) *tasks.Task {
	return &tasks.Task{
		ID: cmp.Or(r.TaskID, r.attempt().NewID()), Tenant: r.Tenant, CreatedBy: r.Actor, Kind: r.Kind.Name, Type: tasks.Import,
		Name: r.Name, Status: tasks.Open, Labels: r.Options.Labels, Priority: r.Options.Priority,
		ParentID: r.Options.ParentID, CallbackURL: r.Options.CallbackURL,
		MaxFailures: r.Options.MaxFailures, After: r.Options.After, AfterWell: r.Options.AfterOutcome == afterSuccess,
		RunAt: r.Options.startsAt(s.Now()),
	}
}

// commitTimeout bounds the commit of a task.
const commitTimeout = 10 * time.Second

var errParent = &Error{
	"PARENT_NOT_FOUND",
	"The parent must be a task of yours that is not done or being canceled, with less than ten ancestors.",
	"/parent_id",
}

// add adds the task, together with its rows if the request holds them.
func (s *Service) add(ctx context.Context, r *Request, t *tasks.Task) (old *tasks.Task, err error) {
	terms := tasks.Terms{Keep: r.Options.keep(s.Retention), Once: s.dedupOf(r, t), Quotas: true}
	if r.Upload != "" {
		terms.Also = func(ctx context.Context, tx ledger.Tx) error { return s.Uploads.Start(ctx, tx, r.Upload) }
	}
	if r.rows != nil {
		return s.addRows(ctx, r, t, terms)
	}
	return s.addTask(ctx, r, t, terms)
}

// addTask adds the task. If the request enables deduplication and the task is a duplicate, addTask returns
// the earlier task instead. For a run of a schedule, it returns schedules.ErrChanged if the run was already
// started, or if the schedule has changed.
func (s *Service) addTask(ctx context.Context, r *Request, t *tasks.Task, terms tasks.Terms) (old *tasks.Task, err error) {
	if r.Run != nil {
		return s.Schedules.Start(ctx, *r.Run, t, terms)
	}
	return s.Tasks.CreateOnce(ctx, t, terms)
}

// begun calls Attempt.Seal for the attempt of a request. It returns the task that an earlier attempt of
// the request has added, or nil.
func (s *Service) begun(ctx context.Context, r *Request, id string) (*tasks.Task, error) {
	if err := r.attempt().Seal(ctx); err != nil || !r.attempt().Again() {
		return nil, err
	}
	t, err := s.Tasks.Get(ctx, r.Tenant, id)
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, nil //nolint:nilnil // the earlier attempt ended before the commit
	}
	return t, err
}

// commit adds the task inside the middlewares of the registry. If the task exists, it returns the
// existing task.
func (s *Service) commit(ctx context.Context, r *Request, t *tasks.Task) (out *tasks.Task, err error) {
	sub := jobs.Submission{
		Source: string(t.Type), Kind: t.Kind, Tenant: t.Tenant, Name: t.Name, Labels: t.Labels, Priority: t.Priority,
	}
	err = s.Kinds.Submit(ctx, &sub, func(ctx context.Context, sub *jobs.Submission) (err error) {
		t.Name, t.Labels, t.Priority = sub.Name, sub.Labels, sub.Priority
		out, err = s.commitTask(ctx, r, t)
		return err
	})
	var refused *jobs.Failure
	if errors.As(err, &refused) {
		return nil, &Error{refused.Code, refused.Message, ""}
	}
	return out, err
}

// commitTask adds the task, or returns the existing task. If the response to the commit is lost, it
// reads whether the task exists. If that read fails, too, it sets r.doubt, and the file of the request
// is kept.
func (s *Service) commitTask(ctx context.Context, r *Request, t *tasks.Task) (*tasks.Task, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // the caller is gone: no task is added
	}
	if there, err := s.begun(ctx, r, t.ID); err != nil || there != nil {
		return there, err
	}
	ctx = context.WithoutCancel(ctx)
	create, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	old, err := s.add(create, r, t)
	switch {
	case err == nil && old != nil:
		return old, nil
	case err == nil:
		return t, nil
	}
	if refused := tieError(err); refused != nil {
		return nil, refused
	}
	read, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	there, lost := s.Tasks.Get(read, t.Tenant, t.ID)
	if lost == nil {
		return there, nil
	}
	r.doubt = !errors.Is(lost, tasks.ErrNotFound)
	return nil, err
}
