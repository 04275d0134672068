package pages

import (
	"cmp"
	"encoding/csv"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// uploadPage holds the data of the page with the form for a file.
type uploadPage struct {
	Title   string
	Refresh bool // always false: a reload would empty the form
	May     bool // the user may start imports
	Form    formView
}

// formView holds the form and the error of the last upload.
type formView struct {
	Kinds   []kindCard
	Kind    string // chosen kind
	Name    string // entered name
	Problem *render.ProblemView
	Most    int64 // greatest size of a file, in bytes
}

// kindCard is a kind that the user can choose in a form.
type kindCard struct {
	view.Kind
	Chosen bool
}

// Needs returns the names of the required columns.
func (k kindCard) Needs() []string { return k.columns(true) }

// May returns the names of the optional columns.
func (k kindCard) May() []string { return k.columns(false) }

func (k kindCard) columns(required bool) []string {
	var out []string
	for _, c := range k.Columns {
		if c.Required == required {
			out = append(out, c.Name)
		}
	}
	return out
}

// newImport serves GET /imports/new.
func (p *Handlers) newImport(c *gin.Context) error {
	return p.renderForm(c, http.StatusOK, formView{Kind: c.Query("kind")})
}

func (p *Handlers) renderForm(c *gin.Context, status int, form formView) error {
	v := uploadPage{Title: request.Printer(c).Text("upload.title"), Form: form}
	v.May = request.Caller(c).May(access.TasksWrite)
	v.Form.Kinds, v.Form.Most = p.kindCards(c, form.Kind), p.MaxUpload
	return p.Render.Page(c, status, "upload.html", v)
}

// kindCards returns the kinds that files can be imported as. The kind with the name in the argument
// `chosen` is marked as chosen, or the first kind if there is no such kind.
func (p *Handlers) kindCards(c *gin.Context, chosen string) []kindCard {
	var out []kindCard
	any := false
	for _, k := range p.Kinds.Kinds() {
		if k.Schema != nil {
			out = append(out, kindCard{view.OfKind(k, c.GetString(request.LangKey)), k.Name == chosen})
			any = any || k.Name == chosen
		}
	}
	if !any && len(out) > 0 {
		out[0].Chosen = true
	}
	return out
}

// toForm serves GET /imports, which redirects to the form. The browser shows this path after the server
// has rejected the form, so a user may reload the path.
func (p *Handlers) toForm(c *gin.Context) error {
	c.Redirect(http.StatusSeeOther, "/imports/new")
	return nil
}

// postImport serves POST /imports. The file is in the form, or was uploaded in parts before.
func (p *Handlers) postImport(c *gin.Context) error {
	if strings.HasPrefix(c.GetHeader("Content-Type"), "multipart/") {
		return p.keepUpload(c)
	}
	form := request.Form(c)
	view := formView{Kind: form.Get("kind"), Name: form.Get("name")}
	kind, err := p.Ingest.Kind(view.Kind)
	if err != nil {
		return p.refuseForm(c, view, err)
	}
	up, err := p.Intake.Uploads.Get(c.Request.Context(), request.Tenant(c), form.Get("upload"))
	if err != nil {
		return p.refuseForm(c, view, err)
	}
	if up.Kind, up.TaskName = kind.Name, cmp.Or(strings.TrimSpace(view.Name), up.Name); !textutil.IsLine(up.TaskName) {
		up.TaskName = up.Name
	}
	return p.beginWizard(c, &wizard{up: up, kind: kind})
}

// keepUpload stores the file of a form as an upload.
func (p *Handlers) keepUpload(c *gin.Context) error {
	u := request.NewTask(c)
	if err := p.Intake.ReadUpload(request.NewBody(c), u); err != nil {
		return p.refuseForm(c, formView{}, err)
	}
	up := &uploads.Upload{
		Tenant: u.Tenant, MadeBy: u.Actor, Name: u.FileName, Kind: u.Kind.Name, TaskName: u.Name, File: u.File,
	}
	err := p.Intake.CheckQuota(c.Request.Context(), tasks.Usage{Bytes: up.File.Size})
	if err == nil {
		err = p.Intake.Uploads.Create(c.Request.Context(), up)
	}
	if err != nil {
		return p.refuseForm(c, formView{Kind: u.Kind.Name}, errors.Join(err, p.Ingest.Drop(c.Request.Context(), u)))
	}
	return p.beginWizard(c, &wizard{up: up, kind: u.Kind, choices: wizardChoices{Options: u.Options}})
}

// refuseForm answers with the form and the error.
func (p *Handlers) refuseForm(c *gin.Context, form formView, err error) error {
	prob := p.Problems.Classify(c, err)
	v := render.ViewProblem(c, prob)
	form.Problem = &v
	return p.renderForm(c, prob.Status, form)
}

// sample serves GET /kinds/{kind}/sample.csv: the headings of the columns and one example row.
func (p *Handlers) sample(c *gin.Context) error {
	k, ok := p.Kinds.Kind(c.Param("kind"))
	if !ok || k.Schema == nil {
		return problem.ErrNotFound
	}
	c.Header("Content-Type", view.MediaTypes["csv"]+"; charset=utf-8")
	c.Header("Content-Disposition", `attachment; filename="`+k.Name+`-sample.csv"`)
	c.Header("Cache-Control", "no-cache")
	return writeSample(c.Writer, k.Schema)
}

func writeSample(w gin.ResponseWriter, s *rowschema.Schema) error {
	var names, examples []string
	for _, f := range s.Fields {
		names, examples = append(names, f.Name), append(examples, f.Example)
	}
	// Excel recognizes UTF-8 by this byte order mark.
	if _, err := w.WriteString("\ufeff"); err != nil {
		return err
	}
	return csv.NewWriter(w).WriteAll([][]string{names, examples})
}
