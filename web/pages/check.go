package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// checkPage is a file before it is imported: how it is understood, what is wrong
// with its rows, and what may be said about it.
type checkPage struct {
	Title   string
	Refresh bool // never: it would empty the form
	Draft   string
	File    draft
	Look    *view.Preview // nil if the file cannot be read as it was asked for
	Problem *render.ProblemView
	Choices []string // character sets that would help
	Options ingest.Options
	Fields  []rowschema.Field
	Rows    []checkedRow
	Ready   bool // it can be started
}

// checkedRow is one of the first rows.
type checkedRow struct {
	Row   int
	Cells []gridCell
	Notes []string
}

// most rows that are shown of a file that is checked.
const checkedRows = 20

// getCheck serves GET /imports/check: a file that has been sent.
func (p *Handlers) getCheck(c *gin.Context) error {
	return p.check(c, c.Request.URL.Query())
}

// postCheck serves POST /imports/check: takes a file, or looks at one again as
// the form asks for, or starts it.
func (p *Handlers) postCheck(c *gin.Context) error {
	if strings.HasPrefix(c.GetHeader("Content-Type"), "multipart/") {
		return p.keepDraft(c)
	}
	form := request.Form(c)
	if form.Get("act") != "start" {
		return p.check(c, form)
	}
	return p.startDraft(c, form)
}

// keepDraft stores a file to be looked at.
func (p *Handlers) keepDraft(c *gin.Context) error {
	u := request.NewTask(c)
	if err := p.Intake.ReadUpload(request.NewBody(c), u); err != nil {
		return p.refuseForm(c, formView{}, err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	text, err := p.hand(c, draft{
		Task: id.String(), Kind: u.Kind.Name, Name: u.Name, Called: u.FileName, File: u.File,
		Until: p.Now().Add(draftTime).UnixMilli(),
	})
	if err != nil {
		return errors.Join(err, p.Ingest.Drop(c.Request.Context(), u))
	}
	c.Redirect(http.StatusSeeOther, "/imports/check?draft="+url.QueryEscape(text))
	return nil
}

// check looks at a draft and shows what it finds.
func (p *Handlers) check(c *gin.Context, form url.Values) error {
	v, u, err := p.newCheck(c, form)
	if err != nil {
		return p.noDraft(c, err)
	}
	err = p.lookAt(c, u, &v)
	if err == nil {
		return p.Render.Page(c, http.StatusOK, "check.html", v)
	}
	return p.renderRefused(c, u, v, err)
}

// renderRefused shows a file again that cannot be taken as the form asks for,
// with its columns, if the mapping is what is wrong.
func (p *Handlers) renderRefused(c *gin.Context, u *ingest.Request, v checkPage, err error) error {
	status, err := p.refuseCheck(c, &v, err)
	if err != nil {
		return p.noDraft(c, err)
	}
	if why := v.Problem; len(u.Options.Mapping) > 0 || v.Look == nil {
		u.Options.Mapping = nil
		if p.lookAt(c, u, &v) == nil { // else the problem says it all
			v.Ready = v.Ready && len(v.Options.Mapping) == 0
		}
		v.Problem = why
	}
	return p.Render.Page(c, status, "check.html", v)
}

// noDraft shows the form for a file to who has waited too long.
func (p *Handlers) noDraft(c *gin.Context, err error) error {
	if errors.Is(err, errNoDraft) {
		return p.refuseForm(c, formView{}, err)
	}
	return err
}

func (p *Handlers) newCheck(c *gin.Context, form url.Values) (v checkPage, u *ingest.Request, err error) {
	d, err := p.takeUp(c, form.Get("draft"))
	if err != nil {
		return v, nil, err
	}
	if u, err = p.uploadOf(c, d); err != nil {
		return v, nil, err
	}
	if name := strings.TrimSpace(form.Get("name")); name != "" && textutil.IsLine(name) {
		d.Name, u.Name = name, name
	}
	u.Options.Options = checkOptions(u.Options.Options, form)
	v = checkPage{
		Title: request.Printer(c).Text("check.title", "name", render.Shown(d.Called)), Draft: form.Get("draft"), File: d,
		Options: u.Options, Fields: u.Kind.Schema.Fields,
	}
	return v, u, nil
}

// headingField stands before a heading in the name of a field.
const headingField = "map:"

// checkOptions are the options that the form gives.
func checkOptions(o importers.Options, form url.Values) importers.Options {
	o.Sheet, o.Encoding, o.Decimal = form.Get("sheet"), form.Get("encoding"), form.Get("decimal")
	if n, err := strconv.Atoi(form.Get("header_row")); err == nil && n > 0 && n <= ingest.MaxHeaderRow {
		o.HeaderRow = n
	}
	for name := range form {
		if heading, ok := strings.CutPrefix(name, headingField); ok {
			if o.Mapping == nil {
				o.Mapping = map[string]string{}
			}
			o.Mapping[heading] = form.Get(name)
		}
	}
	return o
}

// refuseCheck shows why the file cannot be read as it was asked for. A fault that
// has nothing to do with the file is returned.
func (p *Handlers) refuseCheck(c *gin.Context, v *checkPage, err error) (status int, other error) {
	if errors.Is(err, blobs.ErrNotFound) {
		err = errNoDraft
	}
	prob := problem.OfClient(err)
	if prob == nil || prob == errNoDraft {
		return 0, err
	}
	view := render.ViewProblem(c, prob)
	v.Problem, v.Choices = &view, prob.Choices
	return prob.Status, nil
}

// lookAt reads the whole file.
func (p *Handlers) lookAt(c *gin.Context, u *ingest.Request, v *checkPage) error {
	f, err := p.Files.Get(c.Request.Context(), u.File.ID)
	if err != nil {
		return err
	}
	defer f.Close()
	look, err := p.Intake.Preview(c.Request.Context(), c.GetString(request.LangKey), u, f)
	if err != nil {
		return err
	}
	v.Look, v.Rows = &look, checkRows(&look)
	v.Ready = len(look.Missing) == 0 && look.Problem == nil && look.Counts.Total > 0
	if look.Problem != nil && len(look.Missing) == 0 {
		view := render.ViewProblem(c, problem.OfFile(look.Problem))
		v.Problem = &view
	}
	return nil
}

// checkRows are the first rows, in the columns of the file.
func checkRows(look *view.Preview) (out []checkedRow) {
	for _, row := range look.Rows[:min(len(look.Rows), checkedRows)] {
		cells := map[string]string{}
		_ = json.Unmarshal(row.Cells, &cells) // else they are no cells
		one := checkedRow{Row: row.Row}
		at := map[string]int{}
		for _, col := range look.Columns {
			name := col.Field
			if name == "" {
				name = col.Header
			}
			at[name] = len(one.Cells)
			one.Cells = append(one.Cells, gridCell{Text: cells[name]})
		}
		for _, f := range row.Errors {
			if i, ok := at[f.Column]; ok {
				one.Cells[i].Message = f.Message
			}
			one.Notes = append(one.Notes, f.Message)
		}
		out = append(out, one)
	}
	return out
}

// startDraft makes the task of a draft, or finds it, if the button was pressed
// twice.
func (p *Handlers) startDraft(c *gin.Context, form url.Values) error {
	v, u, err := p.newCheck(c, form)
	if err != nil {
		return p.noDraft(c, err)
	}
	t, _, err := p.Ingest.Accept(c.Request.Context(), u)
	if err == nil {
		p.Wake(c.Request.Context(), importers.Topic)
		c.Redirect(http.StatusSeeOther, "/tasks/"+t.ID)
		return nil
	}
	return p.renderRefused(c, u, v, err)
}

// Chosen is the field that a heading feeds, or may be meant for.
func (v checkPage) Chosen(header, field string) string {
	if chosen, said := v.Options.Mapping[header]; said {
		return chosen
	}
	if field == "" {
		return v.Look.Mapping[header]
	}
	return field
}
