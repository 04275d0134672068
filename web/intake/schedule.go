package intake

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// StartRun creates the task of a scheduled run, as POST /tasks would for the maker of the schedule. If
// another process has changed the schedule, StartRun returns schedules.ErrChanged. For other errors,
// the result `shown` is the problem for users.
func (s *Reader) StartRun(ctx context.Context, r schedules.Run) (shown *tasks.Problem, err error) {
	defer func() {
		if p := recover(); p != nil { // the embedding program defines the rules of a kind
			shown = &tasks.Problem{Code: problem.ErrInternal.Code, Detail: problem.ErrInternal.Detail}
			err = fmt.Errorf("web: run of %s: panic: %v\n%s", r.Schedule.ID, p, debug.Stack())
		}
	}()
	u := &ingest.Request{Tenant: r.Schedule.Tenant, Actor: r.Schedule.CreatedBy}
	if _, _, err = s.Run(ctx, r, u); err == nil || errors.Is(err, schedules.ErrChanged) {
		return nil, err
	}
	p, _ := problem.Of(err)
	return &tasks.Problem{Code: p.Code, Detail: p.Detail}, err
}

// Run creates the task of a scheduled run.
func (s *Reader) Run(ctx context.Context, r schedules.Run, u *ingest.Request) (t *tasks.Task, old bool, err error) {
	u.Run = &r
	w, err := s.readScheduled(ctx, r.Schedule.Request, u)
	if err != nil {
		return nil, false, errors.Join(err, s.Ingest.Drop(ctx, u))
	}
	if w.Export != nil {
		w.Export.Name = cmp.Or(w.Export.Name, r.Schedule.Name)
	}
	if u.Name == ingest.RowsName {
		u.Name = r.Schedule.Name
	}
	return s.Add(ctx, w, u)
}

// readScheduled reads the request that is stored with a schedule.
func (s *Reader) readScheduled(ctx context.Context, text string, u *ingest.Request) (w Source, err error) {
	var list bytes.Buffer
	req, err := input.Parse(json.NewDecoder(strings.NewReader(text)), &TaskBody.Forms[0], s.collect(&list))
	if err != nil {
		return w, err
	}
	w, err = s.readJSONTask(ctx, req, &list, u, "")
	switch {
	case err != nil:
		return w, err
	case w.Open:
		return w, problem.BadMember("open", http.StatusUnprocessableEntity, "A schedule cannot create an open task, because no client adds rows to it.")
	case u.Options.ParentID != "":
		return w, problem.BadMember("parent_id", http.StatusUnprocessableEntity, "A schedule cannot create child tasks, because the parent ends while the schedule goes on.")
	case len(u.Options.After) > 0:
		return w, problem.BadMember("options/after", http.StatusUnprocessableEntity, "A schedule cannot use after, because these tasks are deleted while the schedule goes on.")
	case u.Options.RunAt != "":
		return w, problem.BadMember("options/run_at", http.StatusUnprocessableEntity, "A schedule cannot use run_at: send its times in cron.")
	}
	return w, nil
}

// checkScheduled returns an error if the stored request is invalid.
func (s *Reader) checkScheduled(ctx context.Context, text string, u *ingest.Request) error {
	if w, err := s.readScheduled(ctx, text, u); err != nil || w.Export != nil {
		return err
	}
	in, err := u.Inspect(u.Scratch)
	if err != nil {
		return err
	}
	return u.CheckColumns(in.Columns)
}

// AtMember converts a problem with the contents of a nested request into a problem of the member `member`,
// which holds the nested request. Such a problem has the status 400, 413, 415 or 422. AtMember returns
// other errors unchanged.
func AtMember(member string, err error) error {
	if err == nil {
		return nil
	}
	p, _ := problem.Of(err)
	switch p.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
	default:
		return err
	}
	out := problem.New(http.StatusUnprocessableEntity, "INVALID_FIELD", p.Detail)
	for _, f := range p.Errors {
		f.Pointer = member + f.Pointer
		out.Errors = append(out.Errors, f)
	}
	if len(out.Errors) == 0 {
		out.Errors = []problem.Fault{{Pointer: member, Code: p.Code, Detail: p.Detail}}
	}
	return out
}

// CheckSchedule returns an error for a missing or invalid field of a schedule. The store of
// schedules checks the cron expression and the time zone.
func (s *Reader) CheckSchedule(ctx context.Context, sc *schedules.Schedule, u *ingest.Request) error {
	switch {
	case sc.Name == "" || !textutil.IsLine(sc.Name):
		return problem.BadField("name", "name must be one line of 1 to 255 characters.")
	case sc.Cron == "":
		return problem.BadField("cron", "cron is missing. Send a schedule, for example \"30 9 * * 1-5\".")
	case !slices.Contains([]string{schedules.CatchUpSkip, schedules.CatchUpOnce, schedules.CatchUpAll}, sc.CatchUp):
		return problem.BadField("catch_up", "catch_up is skip, once or all.")
	case sc.Request == "" || sc.Request == "null":
		return problem.BadField("request", "request is missing. Send the body of POST /tasks.")
	}
	u.DryRun = true
	err := s.checkScheduled(ctx, sc.Request, u)
	return errors.Join(AtMember("/request", err), s.Ingest.Drop(ctx, u))
}
