package pages

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// wizard holds an upload that becomes an import, its kind, and the choices of the user.
type wizard struct {
	up      *uploads.Upload
	kind    jobs.Kind
	choices wizardChoices
}

// wizardChoices holds the choices of the user. They are stored with the upload.
type wizardChoices struct {
	ingest.Options
	Forget bool   `json:"forget,omitempty"` // do not remember the matches
	As     string `json:"as,omitempty"`     // name under which the matches are remembered

	Known map[string]string `json:"known,omitempty"` // the matches of the last import with these headings
}

func (p *Handlers) save(c *gin.Context, w *wizard) error {
	b, err := json.Marshal(w.choices)
	if err != nil {
		return err
	}
	w.up.Options = string(b)
	return p.Intake.Uploads.Describe(c.Request.Context(), w.up)
}

// inWizard returns a handler that calls h with the upload that the path names. If the user's tenant has
// no such upload, the handler answers with the form and an error.
func (p *Handlers) inWizard(h func(*gin.Context, *wizard) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		up, err := p.Intake.Uploads.Get(c.Request.Context(), request.Tenant(c), c.Param("upload"))
		if errors.Is(err, uploads.ErrNotFound) {
			return p.refuseForm(c, formView{}, err)
		}
		if err != nil {
			return err
		}
		w, err := p.openWizard(up)
		if err != nil {
			return err
		}
		return h(c, w)
	}
}

func (p *Handlers) openWizard(up *uploads.Upload) (*wizard, error) {
	w := &wizard{up: up}
	var err error
	if w.kind, err = p.Ingest.Kind(up.Kind); err != nil {
		return nil, err
	}
	return w, json.Unmarshal([]byte(up.Options), &w.choices)
}

// requestOf returns the request that would start the import of the upload.
func (p *Handlers) requestOf(c *gin.Context, w *wizard) (*ingest.Request, error) {
	u := request.NewTask(c)
	u.Kind, u.Name, u.Options = w.kind, w.up.TaskName, w.choices.Options
	u.Options.Name, u.Options.Limits = w.up.Name, p.Limits
	return u, p.Intake.TakeFile(c.Request.Context(), w.up, u)
}

// guess reads the first rows of an upload with the options of u, and guesses the column of each
// heading.
func (p *Handlers) guess(c *gin.Context, u *ingest.Request) (*importers.Guesses, error) {
	f, err := p.Files.Get(c.Request.Context(), u.File.ID)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return importers.GuessColumns(f, f.Size, u.Kind, u.Options.Options)
}

// beginWizard reads the first rows of a new upload, and redirects to the next page. If a mapping of the
// same headings is stored, it applies this mapping, and the next page is the check. The next page is also
// the check if all guesses are certain and the file has no problem. Otherwise, it is the page of columns.
//
// If no option could fix the problem of a file, beginWizard rejects the file.
func (p *Handlers) beginWizard(c *gin.Context, w *wizard) error {
	u, err := p.requestOf(c, w)
	if err != nil {
		return err
	}
	g, err := p.guess(c, u)
	if prob := problem.OfClient(err); prob != nil && !fixable[prob.Code] {
		form := formView{Kind: w.up.Kind}
		if w.up.TaskName != w.up.Name { // the user has entered a name
			form.Name = w.up.TaskName
		}
		return errors.Join(p.refuseForm(c, form, err), p.Intake.Uploads.Delete(c.Request.Context(), w.up.Tenant, w.up.ID))
	} else if err != nil && prob == nil {
		return err
	}
	known := false
	if g != nil {
		if known, err = p.recall(c, w, g); err != nil {
			return err
		}
	}
	to := "/imports/" + w.up.ID
	if g != nil && err == nil && (known || g.Problem == nil && !slices.ContainsFunc(g.Columns, unsure)) {
		to += "/check"
	}
	if err := p.save(c, w); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// fixable holds the codes of problems that the user can fix by choosing other options for reading the
// file.
var fixable = map[string]bool{
	"UNKNOWN_ENCODING": true, "INVALID_ENCODING": true, "HEADER_NOT_FOUND": true, "SHEET_NOT_FOUND": true, "EMPTY_SHEET": true,
	"MISSING_COLUMN": true, "NO_KNOWN_COLUMN": true, "NO_DATA_ROWS": true, "OPTION_UNFIT": true, "INVALID_OPTIONS": true,
}

// unsure reports whether a heading has a guessed column that a user should confirm.
func unsure(g importers.Guess) bool { return g.Field != "" && g.Reason != importers.ByName }

// recall applies the mapping that is stored for the headings of the file. It returns false if there
// is none.
func (p *Handlers) recall(c *gin.Context, w *wizard, g *importers.Guesses) (bool, error) {
	var headings []string
	for _, col := range g.Columns {
		headings = append(headings, col.Heading)
	}
	m, err := p.Mappings.Find(c.Request.Context(), w.up.Tenant, w.kind.Name, headings)
	if err != nil || m == nil {
		return false, err
	}
	w.choices.As, w.choices.Known = m.Name, m.Fields
	w.match(g, m.Fields)
	return true, nil
}

// match sets the mapping of the headings to columns. It leaves out matches that an import also finds
// without a mapping.
func (w *wizard) match(g *importers.Guesses, fields map[string]string) {
	w.choices.Mapping = nil
	for _, col := range g.Columns {
		field, chosen := fields[col.Heading]
		plain := ""
		if f := w.kind.Schema.Match([]string{col.Heading}, nil).Fields[0]; f != nil {
			plain = f.Name
		}
		if chosen && field != plain && (field == "" || w.has(field)) {
			if w.choices.Mapping == nil {
				w.choices.Mapping = map[string]string{}
			}
			w.choices.Mapping[col.Heading] = field
		}
	}
}

// clearMissingRunAt clears the heading of start times if the file lacks the heading when it is read with
// the chosen options.
func (w *wizard) clearMissingRunAt(g *importers.Guesses) {
	if !slices.ContainsFunc(g.Columns, func(col importers.Guess) bool { return col.Heading == w.choices.RunAtColumn }) {
		w.choices.RunAtColumn = ""
	}
}

func (w *wizard) has(field string) bool {
	return slices.ContainsFunc(w.kind.Schema.Fields, func(f rowschema.Field) bool { return f.Name == field })
}

// headingField is the prefix of form fields that hold the column for a heading.
const headingField = "map:"

// postWizard serves POST /imports/{upload}. With the act "start", it starts the import. Otherwise, it
// stores the options of the form and redirects to the page of columns or to the check.
func (p *Handlers) postWizard(c *gin.Context, w *wizard) error {
	form := request.Form(c)
	if name := strings.TrimSpace(form.Get("name")); name != "" && textutil.IsLine(name) {
		w.up.TaskName = name
	}
	if form.Get("act") == "start" {
		return p.startWizard(c, w, form.Get("first") != "")
	}
	w.read(form)
	u, err := p.requestOf(c, w)
	if err != nil {
		return err
	}
	u.Options.Mapping = nil
	g, err := p.guess(c, u)
	if err != nil && problem.OfClient(err) == nil {
		return err
	}
	to := "/imports/" + w.up.ID
	if g != nil {
		w.match(g, chosenFields(form))
		w.clearMissingRunAt(g)
		if u.Options.Mapping = w.choices.Mapping; form.Get("act") == "next" && p.complete(c, u) {
			to += "/check"
		}
	}
	if err := p.save(c, w); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// complete reports whether the first rows of the file can be imported with the options of u.
func (p *Handlers) complete(c *gin.Context, u *ingest.Request) bool {
	g, err := p.guess(c, u)
	return err == nil && g.Problem == nil
}

// read stores the fields of the form as the options for reading the file.
func (w *wizard) read(form map[string][]string) {
	get := func(name string) string { return strings.Join(form[name], "") }
	o := &w.choices.Options
	o.Sheet, o.Encoding, o.Decimal, o.Delimiter, o.HeaderRow = get("sheet"), get("encoding"), get("decimal"), get("delimiter"), 0
	o.RunAtColumn = get("run_at_column")
	if n, err := strconv.Atoi(get("header_row")); err == nil && n > 0 && n <= ingest.MaxHeaderRow {
		o.HeaderRow = n
	}
	if w.choices.Forget = get("remember") == ""; textutil.IsLine(get("as")) {
		w.choices.As = strings.TrimSpace(get("as"))
	}
}

// chosenFields returns the columns that the form assigns to headings.
func chosenFields(form map[string][]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if heading, ok := strings.CutPrefix(name, headingField); ok {
			out[heading] = strings.Join(form[name], "")
		}
	}
	return out
}
