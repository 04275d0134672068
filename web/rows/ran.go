package rows

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// RanRequest is a selection of rows. It selects by the build of the program that made the last attempt,
// and by the time at which the row ended.
type RanRequest struct {
	Build       string `json:"build,omitempty"`
	FinishedGte string `json:"finished_gte,omitempty"`
	FinishedLt  string `json:"finished_lt,omitempty"`
}

// read returns the conditions of a request. The argument `path` is the prefix of field names in errors,
// such as "filter.".
func (in RanRequest) read(path string) (events.Ran, error) {
	out := events.Ran{Build: in.Build}
	var err error
	if out.From, err = parseTime(path, "finished_gte", in.FinishedGte); err == nil {
		out.To, err = parseTime(path, "finished_lt", in.FinishedLt)
	}
	return out, err
}

// parseTime returns the time in a field of a request, in unix ms, or 0 if the field is empty. It returns
// a problem for an invalid time. The argument `path` is the prefix of the field's name in an error.
func parseTime(path, field, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, problem.BadField(path+field, field+" is a time such as 2026-03-04T05:06:07Z.")
	}
	return at.UnixMilli(), nil
}

// CheckTraces returns an error if a filter has a build or a fingerprint and the caller lacks ops:read.
// Otherwise, the number of matching rows would disclose builds and system faults.
func CheckTraces(ctx context.Context, f events.Filter) error {
	if g := auth.Caller(ctx); (f.Build != "" || f.Print != "") && !g.May(access.OpsRead) {
		return auth.MissingScope(g, access.OpsRead)
	}
	return nil
}

// CheckFinished returns an error for a forbidden act on finished rows. An act can only resubmit finished
// rows, without an edit. The condition Build or FinishedGte must select them, and their task must not be
// an export.
func CheckFinished(t *tasks.Task, p *review.BulkAction) error {
	switch {
	case !slices.Contains(p.Filter.Statuses, events.Finish):
		return nil
	case p.Act != review.Resubmit || p.Set != nil || p.Put != nil:
		return problem.BadField("filter.status", "Finished rows can only be resubmitted.")
	case t.Type == tasks.Export:
		return problem.BadField("filter.status", "Finished parts of an export cannot run again.")
	case p.Filter.Build == "" && p.Filter.From == 0:
		return problem.BadField("filter.status", "For finished rows, send build or finished_gte as well.")
	}
	return nil
}
