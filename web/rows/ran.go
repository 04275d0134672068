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

// RanRequest selects rows by the program that ran them last, and by the time at which they ended.
type RanRequest struct {
	Build       string `json:"build,omitempty"`
	FinishedGte string `json:"finished_gte,omitempty"`
	FinishedLt  string `json:"finished_lt,omitempty"`
}

// read reads the conditions of a body, whose fields are below a path.
func (in RanRequest) read(path string) (events.Ran, error) {
	out := events.Ran{Build: in.Build}
	for _, f := range []struct {
		name, text string
		to         *int64
	}{{"finished_gte", in.FinishedGte, &out.From}, {"finished_lt", in.FinishedLt, &out.To}} {
		if f.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, f.text)
		if err != nil {
			return out, problem.BadField(path+f.name, f.name+" is a time such as 2026-03-04T05:06:07Z.")
		}
		*f.to = at.UnixMilli()
	}
	return out, nil
}

// CheckTraces rejects a filter by build or fault if the caller lacks ops:read. Otherwise
// the number of rows would disclose builds and faults.
func CheckTraces(ctx context.Context, f events.Filter) error {
	if g := auth.Caller(ctx); (f.Build != "" || f.Print != "") && !g.May(access.OpsRead) {
		return auth.MissingScope(g, access.OpsRead)
	}
	return nil
}

// CheckFinished rejects an act on finished rows, unless the act resubmits rows of a build or of a
// time.
func CheckFinished(t *tasks.Task, p *review.Press) error {
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
