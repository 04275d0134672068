package pages

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// columnsPage holds the data of the page that matches the headings of a file to columns of the kind.
// The page also has the options for reading the file.
type columnsPage struct {
	Title      string
	Refresh    bool // always false: a reload would empty the form
	Step       int
	ID         string
	File       string
	Size       int64
	Kind       string
	KindTitle  string
	Name       string // name of the task
	Choices    wizardChoices
	Read       *importers.Guesses // nil if the file cannot be read with the chosen options
	Problem    *render.ProblemView
	Columns    []columnRow
	Fields     []fieldState
	Missing    []string // required fields without a heading
	Unmatched  string   // sentence about Missing
	Matched    int
	Encodings  []string
	Delimiters []render.Choice
	Open       bool // the options for reading the file are shown
}

// columnRow is a heading of the file with the column that it is imported as.
type columnRow struct {
	importers.Guess
	Why string // the key of the reason, "" for none
}

// fieldState is a column of the kind. Matched is true if a heading is imported as this column.
type fieldState struct {
	Name              string
	Required, Matched bool
}

// encodings are the character sets that the form offers, unless the problem of the file lists fitting
// character sets.
var encodings = []string{"utf-8", "windows-1252", "windows-1251", "utf-16le", "gb18030", "shift_jis", "windows-1258"}

// getColumns serves GET /imports/{upload}.
func (p *Handlers) getColumns(c *gin.Context, w *wizard) error {
	v := columnsPage{
		Title: request.Printer(c).Text("upload.title"), Step: 2, ID: w.up.ID, File: w.up.Name, Size: w.up.Size, Kind: w.kind.Name,
		KindTitle: w.kind.DisplayName(string(request.Printer(c))),
		Name:      w.up.TaskName, Choices: w.choices, Encodings: encodings,
	}
	u, err := p.requestOf(c, w)
	if err != nil {
		return err
	}
	mapping := u.Options.Mapping
	u.Options.Mapping = nil
	g, err := p.guess(c, u)
	if err == nil && len(mapping) > 0 {
		u.Options.Mapping = mapping
		chosen, lost := p.guess(c, u)
		if err = lost; lost == nil {
			g.Problem = chosen.Problem
		}
	}
	if prob := problem.OfClient(err); prob != nil {
		view := render.ViewProblem(c, prob)
		v.Problem, v.Open = &view, true
		if len(prob.Choices) > 0 {
			v.Encodings = prob.Choices
		}
		v.delimiters(c, "")
		return p.Render.Page(c, http.StatusOK, "columns.html", v)
	}
	if err != nil {
		return err
	}
	v.fill(c, w, g)
	return p.Render.Page(c, http.StatusOK, "columns.html", v)
}

// fill adds the headings of the file, with their chosen or guessed columns, to the page.
func (v *columnsPage) fill(c *gin.Context, w *wizard, g *importers.Guesses) {
	v.Read = g
	if prob := problem.OfClient(g.Problem); prob != nil && !fixable[prob.Code] {
		view := render.ViewProblem(c, prob)
		v.Problem = &view
	}
	matched := map[string]bool{}
	for _, guess := range g.Columns {
		row := columnRow{guess, guess.Reason}
		if field, chosen := w.choices.Mapping[guess.Heading]; chosen && field != guess.Field {
			row.Field, row.Why = field, "chosen"
		}
		if known, ok := w.choices.Known[guess.Heading]; ok && known == row.Field {
			row.Why = "memory"
		}
		if row.Field == "" {
			row.Why = "none"
		} else {
			v.Matched++
		}
		matched[row.Field] = true
		v.Columns = append(v.Columns, row)
	}
	for i := range w.kind.Schema.Fields {
		f := &w.kind.Schema.Fields[i]
		v.Fields = append(v.Fields, fieldState{f.Name, f.Required, matched[f.Name]})
		if f.Required && !matched[f.Name] {
			v.Missing = append(v.Missing, f.Name)
		}
	}
	in := request.Printer(c)
	v.Unmatched = in.Text("columns.missing", "n", len(v.Missing), "columns", render.Shown(strings.Join(v.Missing, in.Text("list"))))
	v.Open = v.Choices.Encoding != "" || v.Choices.Delimiter != "" || v.Choices.Decimal != ""
	v.delimiters(c, g.Delimiter)
}

// delimiters adds the choices of delimiters to the page. The argument `found` is the delimiter of the
// file; "" if it is unknown.
func (v *columnsPage) delimiters(c *gin.Context, found string) {
	for _, d := range [][2]string{{",", "comma"}, {";", "semicolon"}, {"\t", "tab"}, {"|", "bar"}} {
		v.Delimiters = append(v.Delimiters, render.Choice{
			Value: d[0], Words: request.Printer(c).Text("columns.delimiter." + d[1]), Chosen: d[0] == cmp.Or(v.Choices.Delimiter, found),
		})
	}
}
