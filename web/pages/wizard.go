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

// wizard is an upload that becomes an import: the file, the options for reading it, and the stored
// mapping.
type wizard struct {
	up   *uploads.Upload
	kind jobs.Kind
	wish wizardWish
}

// wizardWish holds the choices of the user. They are stored with the upload.
type wizardWish struct {
	ingest.Options
	Forget bool   `json:"forget,omitempty"` // do not remember the matches
	As     string `json:"as,omitempty"`     // name of the matches

	Known map[string]string `json:"known,omitempty"` // the matches of the last import with these headings
}

// save stores the choices of the user.
func (p *Handlers) save(c *gin.Context, w *wizard) error {
	b, err := json.Marshal(w.wish)
	if err != nil {
		return err
	}
	w.up.Options = string(b)
	return p.Intake.Uploads.Describe(c.Request.Context(), w.up)
}

// inWizard calls a handler with the upload of the reader's tenant that the address names.
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
	return w, json.Unmarshal([]byte(up.Options), &w.wish)
}

// requestOf returns the request for the task of an upload.
func (p *Handlers) requestOf(c *gin.Context, w *wizard) (*ingest.Request, error) {
	u := request.NewTask(c)
	u.Kind, u.Name, u.Options = w.kind, w.up.TaskName, w.wish.Options
	u.Options.Name, u.Options.Limits = w.up.Name, p.Limits
	return u, p.Intake.TakeFile(c.Request.Context(), w.up, u)
}

// guess reads the first rows of an upload under the options of a request.
func (p *Handlers) guess(c *gin.Context, u *ingest.Request) (*importers.Guesses, error) {
	f, err := p.Files.Get(c.Request.Context(), u.File.ID)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return importers.GuessColumns(f, f.Size, u.Kind, u.Options.Options)
}

// beginWizard reads the first rows of a new upload. It matches headings as in the last import with
// them. If there was such an import, or no guess needs a confirmation, it redirects to the check. A
// file with a problem that no other options could fix is rejected. Any other file leads to the
// columns.
func (p *Handlers) beginWizard(c *gin.Context, w *wizard) error {
	u, err := p.requestOf(c, w)
	if err != nil {
		return err
	}
	g, err := p.guess(c, u)
	if prob := problem.OfClient(err); prob != nil && !mendable[prob.Code] {
		form := formView{Kind: w.up.Kind, Name: w.up.TaskName}
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

// mendable holds the codes of problems of files that other options of the user could fix.
var mendable = map[string]bool{
	"UNKNOWN_ENCODING": true, "INVALID_ENCODING": true, "HEADER_NOT_FOUND": true, "SHEET_NOT_FOUND": true, "EMPTY_SHEET": true,
	"MISSING_COLUMN": true, "NO_KNOWN_COLUMN": true, "NO_DATA_ROWS": true, "OPTION_UNFIT": true, "INVALID_OPTIONS": true,
}

// unsure reports whether a heading has a guess that no user has confirmed.
func unsure(g importers.Guess) bool { return g.Field != "" && g.Reason != importers.ByName }

// recall matches headings as in the last import with the same headings, and reports whether there was
// such an import.
func (p *Handlers) recall(c *gin.Context, w *wizard, g *importers.Guesses) (bool, error) {
	var headings []string
	for _, col := range g.Columns {
		headings = append(headings, col.Heading)
	}
	m, err := p.Mappings.Find(c.Request.Context(), w.up.Tenant, w.kind.Name, headings)
	if err != nil || m == nil {
		return false, err
	}
	w.wish.As, w.wish.Known = m.Name, m.Fields
	w.match(g, m.Fields)
	return true, nil
}

// match sets the mapping of the headings of a file. Matches that follow from the names alone are left
// out.
func (w *wizard) match(g *importers.Guesses, fields map[string]string) {
	w.wish.Mapping = nil
	for _, col := range g.Columns {
		field, chosen := fields[col.Heading]
		plain := ""
		if f := w.kind.Schema.Match([]string{col.Heading}, nil).Fields[0]; f != nil {
			plain = f.Name
		}
		if chosen && field != plain && (field == "" || w.has(field)) {
			if w.wish.Mapping == nil {
				w.wish.Mapping = map[string]string{}
			}
			w.wish.Mapping[col.Heading] = field
		}
	}
}

func (w *wizard) has(field string) bool {
	return slices.ContainsFunc(w.kind.Schema.Fields, func(f rowschema.Field) bool { return f.Name == field })
}

// headingField is the prefix of a heading in the name of a field.
const headingField = "map:"

// postWizard serves POST /imports/{upload}: it reads the file with other options, redirects to the
// next page, or starts the import.
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
		if u.Options.Mapping = w.wish.Mapping; form.Get("act") == "next" && p.complete(c, u) {
			to += "/check"
		}
	}
	if err := p.save(c, w); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// complete reports whether the head of a file can be imported under the options of a request.
func (p *Handlers) complete(c *gin.Context, u *ingest.Request) bool {
	g, err := p.guess(c, u)
	return err == nil && g.Problem == nil
}

// read sets the options from the form.
func (w *wizard) read(form map[string][]string) {
	get := func(name string) string { return strings.Join(form[name], "") }
	o := &w.wish.Options
	o.Sheet, o.Encoding, o.Decimal, o.Delimiter, o.HeaderRow = get("sheet"), get("encoding"), get("decimal"), get("delimiter"), 0
	if n, err := strconv.Atoi(get("header_row")); err == nil && n > 0 && n <= ingest.MaxHeaderRow {
		o.HeaderRow = n
	}
	if w.wish.Forget = get("remember") == ""; textutil.IsLine(get("as")) {
		w.wish.As = strings.TrimSpace(get("as"))
	}
}

// chosenFields returns the fields that the form assigns to headings.
func chosenFields(form map[string][]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if heading, ok := strings.CutPrefix(name, headingField); ok {
			out[heading] = strings.Join(form[name], "")
		}
	}
	return out
}
