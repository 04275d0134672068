package pages

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// correctedPage tells what became of a corrected file.
type correctedPage struct {
	view.Corrections
	Title   string
	Refresh bool // never: nothing changes by itself
	ID      string
	More    int // rows beyond those that are shown
}

// mostFindings is how many rows that need another look are shown.
const mostFindings = 50

// postCorrections serves POST /tasks/{id}/corrections of a task's page. A file of
// which every changed row runs again leads back to the task, any other to a
// page that says what to look at.
func (p *Handlers) postCorrections(c *gin.Context, t *tasks.Task) error {
	v, err := p.Rows.TakeCorrections(request.NewBody(c), t, p.Locale.Localizer(c, t))
	if err != nil {
		return err
	}
	id := c.Param("id")
	if v.Changed > 0 && len(v.Rows) == 0 {
		c.Redirect(http.StatusSeeOther, "/tasks/"+id)
		return nil
	}
	page := correctedPage{Corrections: v, Title: request.Printer(c).Text("corrected"), ID: id}
	if page.More = len(v.Rows) - mostFindings; page.More > 0 {
		page.Rows = v.Rows[:mostFindings]
	}
	return p.Render.Page(c, http.StatusOK, "corrected.html", page)
}
