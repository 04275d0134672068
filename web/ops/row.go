package ops

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

const rowsPath = "/ops/rows"

// opsRowPage holds the data of the page of one job: the reasons for its state, its steps, and the other
// rows of its key.
type opsRowPage struct {
	opsFrame
	Row    *view.Event
	Why    []view.Reason
	Steps  []opsStep // newest first
	Task   render.TaskCard
	State  opsState
	Values []opsField
	Before []opsKeyRow
	Behind []opsKeyRow
	More   bool // the key has more later rows than Behind
	Acts   []opsAlarmAct
}

// opsKeyRow is another row with the key of the job.
type opsKeyRow struct {
	At, Words string
	State     opsState
	Ended     *string
}

// behindShown is the greatest number of later rows of the key that the page shows.
const behindShown = 100

// opsRow serves GET /ops/rows/{id}.
func (p *Handlers) opsRow(c *gin.Context) error {
	t, e, err := p.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if prob := problem.OfClient(err); prob != nil && prob.Status == http.StatusNotFound {
		return p.renderFind(c, http.StatusNotFound, opsFindPage{Asked: c.Param("id"), Missing: true})
	}
	if err != nil {
		return err
	}
	v := opsRowPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.rows"), rowsPath)}
	if err := p.fillRow(c, &v, t, e); err != nil {
		return err
	}
	v.Title = v.in.Text("ops.row.title", "row", v.Row.Row, "task", render.Shown(v.Task.Name))
	return p.Render.Page(c, http.StatusOK, "ops_row.html", v)
}

func (p *Handlers) fillRow(c *gin.Context, v *opsRowPage, t *tasks.Task, e *events.Event) error {
	ctx, loc := c.Request.Context(), p.Locale.Localizer(c, t)
	why, err := p.Explain.Row(ctx, loc, t, e)
	if err != nil {
		return err
	}
	story, err := p.Render.Story(ctx, loc, t, e)
	if err != nil {
		return err
	}
	row := loc.View(t, e)
	v.Row, v.Why, v.Task = &row, why.Reasons, render.NewTaskCard(t, p.Now(), v.in, p.Kinds)
	v.State, v.Values, v.Refresh = rowState(v.in, row.Status, row.Attempt), rowValues(loc.Kind, row.Params), !row.Status.AtRest()
	v.Steps = steps(v.in, story, &row, t)
	v.Acts = v.rowActs(t, e)
	return p.sameKey(c, v, t, e)
}

// sameKey adds the previous row of the job's key, and at most behindShown later rows of the key.
func (p *Handlers) sameKey(c *gin.Context, v *opsRowPage, t *tasks.Task, e *events.Event) error {
	ctx, lane := c.Request.Context(), events.Lane{Tenant: t.Tenant, Kind: t.Kind}
	before, err := p.Events.KeyBefore(ctx, lane, e.Key, e.ID, 1)
	if err != nil {
		return err
	}
	behind, err := p.Events.KeyBehind(ctx, lane, e.Key, e.ID, behindShown+1)
	if v.More = len(behind) > behindShown; v.More {
		behind = behind[:behindShown]
	}
	v.Before, v.Behind = keyRows(v.in, before), keyRows(v.in, behind)
	return err
}

func keyRows(in locale.Printer, list []events.KeyRow) []opsKeyRow {
	return view.All(list, func(r *events.KeyRow) opsKeyRow {
		return opsKeyRow{
			At:    rowsPath + "/" + r.ID.JobID(r.TaskID),
			Words: in.Text("ops.row.title", "row", r.Row, "task", render.Shown(r.TaskName)),
			State: rowState(in, r.Status, r.Attempt), Ended: view.InstantOf(textutil.Optional(r.FinishedAt)),
		}
	})
}

// rowActs returns buttons for the acts that the user may execute on the job, the least invasive first.
func (v *opsRowPage) rowActs(t *tasks.Task, e *events.Event) []opsAlarmAct {
	at, key := rowsPath+"/"+v.Row.ID, e.Key
	if key == "" {
		key = v.Row.ID
	}
	onKey := func(words, verb string, more ...opsField) opsAlarmAct {
		fields := append([]opsField{{"act", verb}, {"key", key}, {"to", at}}, more...)
		return opsAlarmAct{Words: v.in.Text(words), At: opsQueueAt(t.Kind, "acts"), Fields: fields}
	}
	switch {
	case !v.May:
	case e.Status == events.Enqueue && e.Attempt > 0:
		return []opsAlarmAct{
			onKey("ops.row.now", "perform-all-now", opsField{"meant", "yes"}, opsField{"of", "1"}),
			onKey("ops.row.stop", "kill-failed"),
		}
	case e.Status.Bad() && !v.Task.Closed && !e.Erased():
		return []opsAlarmAct{{Words: v.in.Text("ops.row.run"), At: at + "/run", Fields: []opsField{{"meant", "yes"}}}}
	}
	return nil
}

// rowState returns the state of a row as a text with a tone.
func rowState(in locale.Printer, s events.Status, attempt int) opsState {
	if s == events.Enqueue && attempt > 0 {
		return opsState{in.Text("ops.is.retry"), render.ToneWarn}
	}
	return opsState{in.Text("ops.is." + string(s)), rowTone(s)}
}

func rowTone(s events.Status) string {
	switch s {
	case events.Working:
		return render.ToneRun
	case events.Finish:
		return render.ToneGood
	case events.Failed:
		return render.ToneWarn
	case events.Error:
		return render.ToneBad
	}
	return render.ToneWait
}

// opsRunRow serves POST /ops/rows/{id}/run, which resubmits the row.
func (p *Handlers) opsRunRow(c *gin.Context) error {
	t, e, err := p.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	out, err := p.Rows.Bulk(c.Request.Context(), t, resubmitRow(request.Actor(c), e.ID.Seq()))
	if err != nil {
		return err
	}
	act := "run-row"
	if out.Resubmitted == 0 {
		act = "run-not"
	}
	return p.Render.Done(c, rowsPath+"/"+url.PathEscape(c.Param("id")), act, int(out.Resubmitted), 1)
}
