package pages

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// outlookPage holds the data of the page that shows the expected result of an import, with counts of rows.
type outlookPage struct {
	Title   string
	Refresh bool // always false: a reload would empty the form
	Step    int
	ID      string
	File    string
	Kind    string
	Name    string // name of the task
	Preview *view.Preview
	Problem *render.ProblemView
	Rows    []render.CheckedRow
	Causes  []render.CheckedCause
	Ready   bool   // the import can be started
	RunAt   string // heading of the column with the start times of rows; "" if there is none
	Bar     []render.Segment

	Warnings []render.Warning
}

// getOutlook serves GET /imports/{upload}/check.
func (p *Handlers) getOutlook(c *gin.Context, w *wizard) error {
	u, err := p.requestOf(c, w)
	if err != nil {
		return err
	}
	return p.renderOutlook(c, w, u, nil)
}

// renderOutlook answers with the page that shows the expected result of an import. The argument `refused` is
// the error of a rejected import; nil for none.
func (p *Handlers) renderOutlook(c *gin.Context, w *wizard, u *ingest.Request, refused error) error {
	v := outlookPage{
		Title: request.Printer(c).Text("upload.title"), Step: 3, ID: w.up.ID, File: w.up.Name, Kind: w.kind.Name, Name: w.up.TaskName,
		RunAt: w.choices.RunAtColumn,
	}
	status := http.StatusOK
	preview, err := p.previewOf(c, u)
	if err == nil && refused != nil {
		err = refused
	}
	if prob := problem.OfClient(err); prob != nil {
		view := render.ViewProblem(c, prob)
		v.Problem, status = &view, prob.Status
	} else if err != nil {
		return err
	}
	if preview != nil {
		v.fill(c, preview)
		v.Causes = render.CheckedCauses(request.Printer(c), w.kind, preview)
	}
	return p.Render.Page(c, status, "check.html", v)
}

func (p *Handlers) previewOf(c *gin.Context, u *ingest.Request) (*view.Preview, error) {
	f, err := p.Files.Get(c.Request.Context(), u.File.ID)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	preview, err := p.Intake.Preview(c.Request.Context(), c.GetString(request.LangKey), u, f)
	if err != nil {
		return nil, err
	}
	return &preview, u.CheckColumns(preview.Columns)
}

func (v *outlookPage) fill(c *gin.Context, preview *view.Preview) {
	v.Preview, v.Rows = preview, render.CheckedRows(preview)
	for i, headings := 0, view.Headings(preview.Columns); i < len(preview.Unusual); i++ {
		preview.Unusual[i].Column = cmp.Or(headings[preview.Unusual[i].Column], preview.Unusual[i].Column)
	}
	v.Warnings = render.Warnings(request.Printer(c), preview.Warnings)
	v.Ready = v.Problem == nil && len(preview.Missing) == 0 && preview.Counts.Total > 0 &&
		(preview.Problem == nil || !preview.Counts.TotalIsFinal) // the readable rows can be imported
	if v.Lost() {
		v.Problem = nil // the page names the missing columns
	} else if preview.Problem != nil && v.Problem == nil {
		view := render.ViewProblem(c, problem.OfFile(preview.Problem))
		v.Problem = &view
	}
	var card render.TaskCard
	card.Counts.Counts = tasks.Counts{Total: preview.Counts.Total, Finish: preview.Counts.Valid, Failed: preview.Counts.Invalid}
	v.Bar = card.Bar(render.TaskFacts{})
}

// Lost reports whether a required column has no heading in the file.
func (v outlookPage) Lost() bool { return v.Preview != nil && len(v.Preview.Missing) > 0 }

// NoneValid reports whether every row of the file needs a correction.
func (v outlookPage) NoneValid() bool {
	return v.Ready && v.Preview.Counts.TotalIsFinal && v.Preview.Counts.Invalid > 0 && v.Preview.Counts.Valid == 0
}

// startWizard starts the import of an upload, and stores the chosen mapping. If the user has pressed the
// button twice, the second request finds the task of the first request. If the argument `first` is true
// and a row is invalid, no row runs until a user resumes the task.
func (p *Handlers) startWizard(c *gin.Context, w *wizard, first bool) error {
	if w.choices.OnInvalid = ""; first {
		w.choices.OnInvalid = importers.Block
	}
	u, err := p.requestOf(c, w)
	if err != nil {
		return err
	}
	t, _, err := p.Intake.Add(c.Request.Context(), intake.Source{}, u)
	if errors.Is(err, uploads.ErrNotFound) {
		return p.refuseForm(c, formView{Kind: w.kind.Name, Name: w.up.TaskName}, err)
	}
	if err != nil {
		return p.renderOutlook(c, w, u, err)
	}
	if len(w.choices.Mapping) > 0 && !w.choices.Forget {
		m := mappings.Mapping{Tenant: w.up.Tenant, Kind: w.kind.Name, Name: w.choices.As, Fields: w.choices.Mapping, MadeBy: request.Actor(c)}
		for _, col := range t.Columns {
			m.Headings = append(m.Headings, col.Header)
		}
		if err := p.Mappings.Remember(c.Request.Context(), m, t.ID); err != nil {
			p.Log.ErrorContext(c.Request.Context(), "the column mapping of an import is not stored", "task", t.ID, "err", err)
		}
	}
	c.Redirect(http.StatusSeeOther, "/tasks/"+t.ID)
	return nil
}
