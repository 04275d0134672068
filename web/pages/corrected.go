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

// correctedFile is the result of a corrected file that was rejected, or of which some rows need
// attention.
type correctedFile struct {
	Words    string
	Problem  *render.ProblemView // the whole file was rejected; nil: it was accepted
	Rows     []view.CorrectionsRow
	More     int // number of rows beyond Findings
	Warnings []string
}

// mostFindings is the most rows that the page shows as needing attention.
const mostFindings = 50

// postCorrections serves POST /tasks/{id}/corrections of a task's page. The page of the task then
// shows the result of the file.
func (p *Handlers) postCorrections(c *gin.Context, t *tasks.Task) error {
	v, err := p.Rows.TakeCorrections(request.NewBody(c), t, p.Locale.Localizer(c, t))
	if err != nil {
		prob := p.Problems.Classify(c, err)
		if prob.Status == http.StatusNotFound {
			return err
		}
		told := render.ViewProblem(c, prob)
		told.Title = request.Printer(c).Text("corrected.refused")
		return p.showTask(c, t, prob.Status, &correctedFile{Problem: &told})
	}
	out := correctedOutcome(v)
	if len(v.Rows) == 0 && len(v.Warnings) == 0 {
		return p.backTo(c, t, "/tasks/"+t.ID, out)
	}
	told := correctedFile{Words: toldWords(request.Printer(c), out), Rows: v.Rows, Warnings: v.Warnings}
	if told.More = len(v.Rows) - mostFindings; told.More > 0 {
		told.Rows = v.Rows[:mostFindings]
	}
	now, err := p.Tasks.Get(c.Request.Context(), t.Tenant, t.ID)
	if err != nil {
		return err
	}
	return p.showTask(c, now, http.StatusOK, &told)
}

// correctedOutcome counts the rows of a corrected file.
func correctedOutcome(v view.Corrections) render.Outcome {
	act := "corrections"
	if v.Changed == 0 {
		act = "corrections.none"
	}
	return render.Outcome{Act: act, N: v.Resubmitted, Of: v.Resubmitted, Args: map[string]string{
		"same": strconv.Itoa(v.Unchanged), "left": strconv.Itoa(v.Changed - v.Resubmitted),
	}}
}
