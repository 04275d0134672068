package ops

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// rowsDoor is the page that looks a row up.
const rowsDoor = "/ops/rows"

// opsRowPage is one row, and what has become of it so far.
type opsRowPage struct {
	opsFrame
	Asked string // the id that was entered
	Row   *view.Event
	Why   []view.Reason
	Story []render.Chapter
	Task  render.TaskCard
	Tone  string
}

// opsFindRow serves GET /ops/rows: a form for the id of a row.
func (p *Handlers) opsFindRow(c *gin.Context) error {
	if id := strings.TrimSpace(c.Query("id")); id != "" {
		c.Redirect(http.StatusSeeOther, rowsDoor+"/"+url.PathEscape(id))
		return nil
	}
	return p.Render.Page(c, http.StatusOK, "ops_row.html", opsRowPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.rows"), rowsDoor)})
}

// opsRow serves GET /ops/rows/{id}.
func (p *Handlers) opsRow(c *gin.Context) error {
	v := opsRowPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.rows"), rowsDoor), Asked: c.Param("id")}
	t, e, err := p.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if prob := problem.OfClient(err); prob != nil && prob.Status == http.StatusNotFound {
		return p.Render.Page(c, http.StatusNotFound, "ops_row.html", v)
	}
	if err != nil {
		return err
	}
	loc := p.Locale.Localizer(c, t)
	why, err := p.Explain.Row(c.Request.Context(), loc, t, e)
	if err != nil {
		return err
	}
	if v.Story, err = p.Render.Story(c.Request.Context(), loc, t, e); err != nil {
		return err
	}
	row := loc.View(t, e)
	v.Why = why.Reasons
	v.Row, v.Task, v.Tone = &row, render.NewTaskCard(t, p.Now(), v.in), rowTone(row.Status)
	v.Refresh = !row.Status.Rest()
	return p.Render.Page(c, http.StatusOK, "ops_row.html", v)
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
