package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// exportsPage holds the data of the page with the form for an export, and a list of the last tasks.
type exportsPage struct {
	Title     string
	Refresh   bool // always false: a reload would empty the form
	May       bool // the user may start exports
	Kinds     []kindCard
	Kind      string // name of the shown kind; "" if there is none
	KindTitle string // title of the kind

	Params  []exportParam
	Columns []render.Choice
	Formats []render.Choice
	Problem *render.ProblemView
	Tasks   []render.TaskCard
}

// exportParam is a parameter of an export, with the value that the user has entered and its error.
type exportParam struct {
	view.Column
	Value, Wrong string
}

// mostExports is the greatest number of tasks that the page lists.
const mostExports = 20

// paramField is the prefix of form fields that hold a parameter.
const paramField = "param:"

// exports serves GET /exports.
func (p *Handlers) exports(c *gin.Context) error {
	return p.renderExports(c, c.Request.URL.Query(), nil)
}

// postExport serves POST /exports, which starts an export.
func (p *Handlers) postExport(c *gin.Context) error {
	form := request.Form(c)
	t, err := p.exportForm(c, form)
	if err != nil {
		return p.renderExports(c, form, err)
	}
	c.Redirect(http.StatusSeeOther, "/tasks/"+t.ID)
	return nil
}

func (p *Handlers) exportForm(c *gin.Context, form url.Values) (*tasks.Task, error) {
	if err := p.Intake.CheckQuota(c.Request.Context(), tasks.Usage{Tasks: 1}); err != nil {
		return nil, err
	}
	params := map[string]string{}
	for name := range form {
		if param, ok := strings.CutPrefix(name, paramField); ok && form.Get(name) != "" {
			params[param] = form.Get(name)
		}
	}
	req := input.Object{}
	for name, value := range map[string]any{
		"kind": form.Get("kind"), "format": form.Get("format"), "columns": form["column"], "params": params,
	} {
		b, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		req[name] = b
	}
	return p.Intake.StartExport(c.Request.Context(), request.NewTask(c), req, c.GetString(request.LangKey))
}

// renderExports answers with the form. If err is not nil, the form shows the error and the entered
// values.
func (p *Handlers) renderExports(c *gin.Context, form url.Values, err error) error {
	in, status := request.Printer(c), http.StatusOK
	v := exportsPage{Title: in.Text("exports"), May: request.Caller(c).May(access.TasksWrite)}
	wrong := map[string]string{}
	if err != nil {
		prob := p.Problems.Classify(c, err)
		view := render.ViewProblem(c, prob)
		view.Title, view.Places = in.Text("did_not_work"), nil
		for _, f := range prob.Errors {
			wrong[f.Column] = f.Detail
		}
		v.Problem, status = &view, prob.Status
	}
	kind := p.exportKind(in, form.Get("kind"), &v)
	v.KindTitle = kind.DisplayName(string(in))
	if v.Kind = kind.Name; kind.Export != nil {
		v.fill(view.OfKindExport(kind, c.GetString(request.LangKey)), form, wrong)
		v.nameWrong(in)
	}
	list, err := p.lastOf(c, kind.Name)
	for i := range list {
		v.Tasks = append(v.Tasks, p.card(c, &list[i]))
	}
	if err != nil {
		return err
	}
	return p.Render.Page(c, status, "exports.html", v)
}

// nameWrong names the wrong parameters in the problem, if there are any, by the titles of their fields.
func (v *exportsPage) nameWrong(in locale.Printer) {
	var titles []string
	for _, param := range v.Params {
		if param.Wrong != "" {
			titles = append(titles, "“"+render.Shown(param.Title)+"”")
		}
	}
	if len(titles) > 0 && v.Problem != nil {
		v.Problem.Title = in.Text("exports.refused")
		v.Problem.Detail = in.Text("exports.correct", "fields", strings.Join(titles, in.Text("list")))
	}
}

// lastOf returns the newest tasks of a kind, at most mostExports; none without a kind. It calls
// tasks.Store.Search only once, which may miss old tasks.
func (p *Handlers) lastOf(c *gin.Context, kind string) ([]tasks.Task, error) {
	if kind == "" {
		return nil, nil
	}
	list, _, err := p.Tasks.Search(c.Request.Context(), request.Tenant(c), tasks.Search{Kind: kind, Limit: mostExports})
	return list, err
}

// exportKind returns the chosen kind if it has exports, or else the first kind with exports. If there is
// none, it returns the zero value. It adds all kinds with exports to the page.
func (p *Handlers) exportKind(in locale.Printer, chosen string, v *exportsPage) (kind jobs.Kind) {
	for _, k := range p.Kinds.Kinds() {
		if k.Export == nil {
			continue
		}
		if kind.Name == "" || k.Name == chosen {
			kind = k
		}
		v.Kinds = append(v.Kinds, kindCard{view.Kind{Name: k.Name, Title: k.DisplayName(string(in))}, false})
	}
	for i := range v.Kinds {
		v.Kinds[i].Chosen = v.Kinds[i].Name == kind.Name
	}
	return kind
}

// fill adds the parameters, columns and formats of a kind's export to the form.
func (v *exportsPage) fill(e *view.KindExport, form url.Values, wrong map[string]string) {
	for _, param := range e.Params {
		v.Params = append(v.Params, exportParam{param, form.Get(paramField + param.Name), wrong[param.Name]})
	}
	asked := map[string]bool{}
	for _, name := range form["column"] {
		asked[name] = true
	}
	for _, col := range e.Columns {
		v.Columns = append(v.Columns, render.Choice{Value: col.Name, Words: col.Name, Chosen: len(asked) == 0 || asked[col.Name]})
	}
	words := map[string]string{table.XLSX: "Excel (.xlsx)", table.CSV: "CSV", table.TSV: "TSV", table.JSONLines: "JSON Lines"}
	for _, format := range e.Formats {
		v.Formats = append(v.Formats, render.Choice{Value: format, Words: words[format], Chosen: format == form.Get("format")})
	}
}
