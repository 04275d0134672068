package pages

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// correctedFile is the result of an uploaded corrected file: why it was rejected, or which of its rows need
// attention.
type correctedFile struct {
	Words    string
	Problem  *render.ProblemView // the whole file was rejected; nil: it was accepted
	Rows     []view.CorrectionsRow
	More     int // number of further rows, which are not in Rows; 0 or less: none
	Warnings []render.Warning
}

// mostFindings is the greatest number of rows needing attention that the page lists.
const mostFindings = 50

// postCorrections serves POST /tasks/{id}/corrections. It redirects to the page of the task. If the
// file is rejected, has warnings, or has rows that need attention, it answers with that page and the
// reasons.
func (p *Handlers) postCorrections(c *gin.Context, t *tasks.Task) error {
	v, err := p.Rows.TakeCorrections(request.NewBody(c), t, p.Locale.Localizer(c, t))
	if err != nil {
		prob := p.Problems.Classify(c, err)
		if prob.Status == http.StatusNotFound {
			return err
		}
		shown := render.ViewProblem(c, prob)
		shown.Title = request.Printer(c).Text("corrected.refused")
		return p.showTask(c, t, prob.Status, func(v *taskPage) { v.File = &correctedFile{Problem: &shown} })
	}
	out := correctedOutcome(v)
	if len(v.Rows) == 0 && len(v.Warnings) == 0 {
		return p.backTo(c, "/tasks/"+t.ID, out)
	}
	shown := correctedFile{Words: outcomeText(request.Printer(c), out), Rows: v.Rows, Warnings: render.Warnings(request.Printer(c), v.Warnings)}
	if shown.More = len(v.Rows) - mostFindings; shown.More > 0 {
		shown.Rows = v.Rows[:mostFindings]
	}
	now, err := p.Tasks.Get(c.Request.Context(), t.Tenant, t.ID)
	if err != nil {
		return err
	}
	return p.showTask(c, now, http.StatusOK, func(v *taskPage) { v.File = &shown })
}

// correctedOutcome returns the outcome of a corrected file for the message on the next page.
func correctedOutcome(v view.Corrections) render.Outcome {
	act := "corrections"
	switch v.Changed {
	case 0:
		act = "corrections.none"
	case v.Resubmitted:
		act = "corrections.all"
	}
	return render.Outcome{Act: act, N: v.Resubmitted, Of: v.Resubmitted, Args: map[string]string{
		"same": strconv.Itoa(v.Unchanged), "left": strconv.Itoa(v.Changed - v.Resubmitted),
	}}
}
