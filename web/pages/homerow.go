package pages

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
)

// homeRow is an import in the list of imports.
type homeRow struct {
	render.TaskCard
	Badge, Icon, Shade string // text, icon and class of the state
	Say                string // text beside the state; "" for none
	Sender             string // name of the user or API key that has created the import; "" for none
	homeFacts
}

// homeFacts holds facts about an import that render.TaskCard lacks.
type homeFacts struct {
	pause     string // what is paused: "tenant" or "queue"; "" for none
	retries   bool   // all unfinished rows wait for a retry, or behind a row that does
	corrected tasklist.Corrected
}

func newHomeRow(in locale.Printer, t render.TaskCard, facts homeFacts) homeRow {
	r := homeRow{TaskCard: t, homeFacts: facts}
	if t.Closed {
		r.corrected.Ready, r.corrected.Overtaken = 0, 0
	}
	state, icon, shade := r.state()
	r.Badge, r.Icon, r.Shade, r.Say = in.Text("home.is."+state), icon, shade, r.detailText(in, state)
	return r
}

// state returns the state of an import, the name of its icon, and its tone, such as render.ToneRun.
func (r homeRow) state() (state, icon, shade string) {
	switch r.Status {
	case tasks.Splitting:
		return "reading", "run", render.ToneRun
	case tasks.Running:
		if r.StartedAt != nil && r.pause == "" {
			return "running", "run", render.ToneRun
		}
	case tasks.Paused:
		if r.Kept && r.ToCorrect() > 0 {
			return "correct", "warn", render.ToneWarn
		}
		if r.Kept {
			return "kept", "warn", render.ToneWarn
		}
		return "paused", "pause", render.ToneWarn
	case tasks.Canceling:
		return "stopping", "clock", render.ToneWait
	case tasks.Canceled:
		return "stopped", "close", render.ToneWait
	case tasks.Finished, tasks.FinishedWithFailures, tasks.Failed:
		return r.ended()
	}
	return "waiting", "clock", render.ToneWait
}

// ToCorrect returns the number of rows that a user still must correct, as the page of the task shows it.
func (r homeRow) ToCorrect() int64 { return r.Open(r.Facts()) }

// Facts returns the facts that the numbers of rows depend on.
func (r homeRow) Facts() render.TaskFacts {
	return render.TaskFacts{Ready: r.corrected.Ready, Settled: r.corrected.Settled, Overtaken: r.corrected.Overtaken}
}

// Ready returns the number of corrected rows that a user can run now. It returns 0 if the field Kept is
// true. These rows then run together with the valid rows when a user resumes the task.
func (r homeRow) Ready() int64 {
	if r.Kept {
		return 0
	}
	return r.Facts().Runs()
}

// Decides returns the number of corrected rows about which a user must decide, because newer rows of
// their keys have finished. It is 0 if Kept is true. It is also 0 if Ready is above 0: the user then
// decides in the same step in which the other corrected rows are run.
func (r homeRow) Decides() int64 {
	if r.Kept || r.Ready() > 0 {
		return 0
	}
	return r.corrected.Overtaken
}

// ended returns the state, icon and tone of an import that has ended.
func (r homeRow) ended() (state, icon, shade string) {
	switch {
	case r.Problem != nil && r.Counts.Total == 0:
		return "unread", "fault", render.ToneBad
	case r.ToCorrect() > 0:
		return "correct", "warn", render.ToneWarn
	case r.Ready() > 0:
		return "ready", "warn", render.ToneWarn
	case r.Decides() > 0:
		return "overtaken", "warn", render.ToneWarn
	case r.Counts.Error > 0:
		return "errors", "fault", render.ToneBad
	}
	return "done", "check", render.ToneGood
}

// detailText returns the text beside the state: a count, a time or a pause; "" for none.
func (r homeRow) detailText(in locale.Printer, state string) string {
	switch {
	case state == "waiting" && r.pause != "":
		return in.Text("home.paused." + r.pause)
	case state == "running" && r.retries:
		return in.Text("home.retrying")
	case state == "running" && r.Progress.EtaS != nil:
		return in.Text("home.left", "time", in.Duration(*r.Progress.EtaS))
	case state == "correct" && r.Counts.Error > 0:
		return in.Text("home.both", "n", r.ToCorrect(), "m", r.Counts.Error)
	case state == "correct":
		return in.Text("rows", "n", r.ToCorrect())
	case state == "ready" && r.Counts.Error > r.corrected.Settled:
		return in.Text("home.both", "n", r.Ready(), "m", r.Counts.Error-r.corrected.Settled)
	case state == "ready":
		return in.Text("rows", "n", r.Ready())
	case state == "kept":
		return in.Text("rows", "n", r.Importable(r.Facts()))
	case state == "overtaken":
		return in.Text("rows", "n", r.Decides())
	case state == "errors":
		return in.Text("rows", "n", r.Counts.Error)
	case state == "done" && r.Took != nil:
		return in.Text("home.took", "time", in.Duration(*r.Took))
	}
	return ""
}

// pauses returns the pauses that affect the tasks of a tenant. It reads the pauses of queues only if the
// tenant is not paused, and if an import may have waiting rows and no running row. The pauses of queues
// are cached for a second. If Redis does not answer, the result has no pauses of queues.
func (p *Handlers) pauses(ctx context.Context, tenant string) (out tasklist.Pauses, err error) {
	state, err := p.Tasks.TenantState(ctx, tenant)
	if out.Tenant = state.Paused; err != nil || out.Tenant {
		return out, err
	}
	still, err := p.Lists.Still(ctx, tenant)
	if err != nil || !still {
		return out, err
	}
	out.Kinds = p.Manage.PausedQueues(ctx)
	return out, nil
}
