package pages

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// repairPage holds the data of the page on which users correct failed rows. The page has the columns of
// the file, and links to a form for each row. A script turns the list of rows into a grid.
type repairPage struct {
	Title   string
	Refresh bool // always false: a reload would empty the forms
	Task    render.TaskCard
	May     bool // the user may change rows
	Builds  bool // the user may choose rows by the program that ran them
	Columns []gridColumn
	Rows    []gridRow
	Causes  []chip
	Tabs    []tab
	Facts   render.TaskFacts // corrected rows
	Acts    bool             // the user may change rows, and rows can be changed
	Filter  rows.FilterRequest
	Query   url.Values // query of Filter, for links and forms
	Flash   *message   // message about the last act; nil: none
	Undo    *undoOffer // nil: the user has no act to undo, or Flash offers its undo
	First   string     // address of the first page; "" on the first page
	More    string     // address of the next page; "" on the last page
	Grid    gridSetup
}

// undoOffer is an act that the page offers to undo.
type undoOffer struct {
	ID   string
	Rows int64
}

type gridColumn struct {
	Name      string   `json:"name"`  // name in the params of a row
	Label     string   `json:"label"` // heading in the file
	Type      string   `json:"type"`  // "" for a column without a field
	Key       bool     `json:"key"`
	Required  bool     `json:"required"`
	Sensitive bool     `json:"sensitive"`
	Comma     bool     `json:"comma,omitempty"` // the numbers of the file have a decimal comma
	Known     []string `json:"known,omitempty"` // values to choose from
	Hint      string   `json:"hint,omitempty"`
}

type gridRow struct {
	Seq     int64
	Row     int
	Version int
	State   string
	Status  events.Status
	Cells   []gridCell
	Notes   []string // errors of the row as a whole
}

// gridCell is a cell of the grid, with its error.
type gridCell struct {
	Column        gridColumn
	Text          string
	Message, Hint string
	Theirs        *string // newer value of another user, if it differs
}

// gridSetup holds the settings of the script that draws the grid.
type gridSetup struct {
	Task    string            `json:"task"`
	Columns []gridColumn      `json:"columns"`
	Query   string            `json:"query"` // URL query of the shown list
	Tag     string            `json:"tag"`   // ETag of the task before its rows are read
	May     bool              `json:"may"`
	Tabs    map[string]int64  `json:"tabs"`   // number of rows of each tab
	Titles  map[string]string `json:"titles"` // short titles of codes
	First   []view.Event      `json:"first"`  // the rows of the first page; empty on other pages
	Words   map[string]string `json:"words"`
}

// gridWords are the text keys, without the prefix "page.grid.", of the texts that the script shows.
var gridWords = []string{
	"row", "state", "wrong", "chosen", "finish", "open", "fixed", "skipped", "accepted", "superseded", "sent", "loading", "more", "partly",
	"saved.fixed", "saved.open", "failed", "unsaved", "away", "conflict", "mine", "theirs", "undone", "undone.rows", "nothing",
	"changed", "count", "edit", "gone", "empty", "error", "enqueue", "working", "canceled", "selected", "extend", "all",
	"pasted", "filled", "cleared", "faulty", "undo", "redone", "beyond", "last", "known", "suggested", "one",
	"keys.next", "keys.edit", "keys.known", "keys.fill", "keys.undo", "keys.paste",
}

// rowsOfPage is the default number of rows on a repair page, enough for a tall screen. The script loads the
// other rows.
const rowsOfPage = "25"

// repair serves GET /tasks/{id}/repair.
func (p *Handlers) repair(c *gin.Context, t *tasks.Task) error {
	limit, after, err := request.ParsePage(cmp.Or(c.Query("limit"), rowsOfPage), c.Query("cursor"))
	if err != nil {
		return err
	}
	v, err := p.newRepairPage(c, t)
	if err != nil {
		return err
	}
	f, err := v.Filter.Filter()
	if err == nil {
		err = rows.CheckTraces(c.Request.Context(), f)
	}
	if err != nil {
		return err
	}
	f.After, f.Limit, f.NotSuperseded = after, limit+1, v.Filter.Resolution == ""
	read := p.Events.Bad
	if v.Filter.Status != "" {
		read = p.Events.List
	}
	list, next, err := rows.Find(c.Request.Context(), c.Query("q"), p.Locale.Localizer(c, t), t, f, read)
	if err != nil {
		return err
	}
	for _, e := range list[:min(len(list), limit)] {
		v.Rows = append(v.Rows, p.gridRow(c, t, &e, v.Columns))
		if after == 0 {
			v.Grid.First = append(v.Grid.First, p.Locale.Localizer(c, t).View(t, &e))
		}
	}
	if after > 0 {
		v.First = v.at("")
	}
	if next != nil {
		v.More = v.at(request.Cursor(*next))
	}
	return p.Render.Page(c, http.StatusOK, "repair.html", &v)
}

func (p *Handlers) newRepairPage(c *gin.Context, t *tasks.Task) (repairPage, error) {
	in := request.Printer(c)
	v := repairPage{
		Task: p.card(c, t), May: request.Caller(c).May(access.RowsReview),
		Builds:  request.Caller(c).May(access.OpsRead),
		Columns: p.gridColumns(c, t),
	}
	var err error
	if v.Flash, err = p.messageOf(c, t, "repair"); err != nil {
		return v, err
	}
	v.Title = in.Text("repair.title", "name", render.Shown(v.Task.Name))
	if !v.May {
		v.Title = in.Text("failed_rows")
	}
	v.filterBy(c.Query)
	if v.Acts = v.May && !v.Task.Closed; v.Acts {
		act, err := p.undoable(c.Request.Context(), t, request.Actor(c))
		if err != nil {
			return v, err
		}
		if act != nil && act.Rows > act.Undone && !v.Flash.offers(act) {
			v.Undo = &undoOffer{act.ID, act.Rows - act.Undone}
		}
	}
	groups, err := p.Events.Groups(c.Request.Context(), t.Num)
	if err != nil {
		return v, err
	}
	v.choose(t, in, p.Locale.Localizer(c, t).Groups(groups))
	if v.Facts.Overtaken, err = p.Lists.Overtaken(c.Request.Context(), t, v.Facts.Ready, p.ordered); err != nil {
		return v, err
	}
	v.Grid = gridSetup{
		Task: t.ID, Columns: v.Columns, Query: v.list().Encode(), Tag: view.Etag(c.GetString(request.LangKey), t), May: v.Acts,
		Tabs: map[string]int64{}, Titles: map[string]string{}, Words: map[string]string{},
	}
	for _, g := range v.Causes {
		v.Grid.Titles[g.Code] = g.Title
	}
	for _, tab := range v.Tabs {
		if tab.Counted() {
			v.Grid.Tabs[tab.Name] = tab.N
		}
	}
	for _, key := range gridWords {
		v.Grid.Words[key] = in.Template("grid." + key)
	}
	return v, nil
}

// withFinished lists the statuses of the rows that a filter with a build or a time shows. Only such a
// filter shows finished rows.
const withFinished = "finish,failed,error"

// filterBy sets the fields Filter and Query. The function `get` returns the value of a parameter.
func (v *repairPage) filterBy(get func(string) string) {
	code, column, _ := strings.Cut(get("cause"), "|")
	code, print, _ := strings.Cut(code, "#")
	if get("cause") == "" {
		code, column, print = get("code"), get("column"), get("fingerprint")
	}
	v.Filter = rows.FilterRequest{
		Code: code, Column: column, Q: get("q"), Resolution: events.Resolution(get("resolution")), Print: print,
		RanRequest: rows.RanRequest{Build: get("build"), FinishedGte: get("finished_gte"), FinishedLt: get("finished_lt")},
	}
	if v.Filter.RanRequest != (rows.RanRequest{}) {
		v.Filter.Status = withFinished
	}
	if !slices.Contains([]events.Resolution{events.Open, events.Fixed, events.Skipped, events.Accepted, events.Superseded}, v.Filter.Resolution) {
		v.Filter.Resolution = ""
	}
	v.Query = url.Values{}
	for name, value := range map[string]string{
		"code": code, "column": column, "q": v.Filter.Q, "resolution": string(v.Filter.Resolution),
		"fingerprint": print, "build": v.Filter.Build, "finished_gte": v.Filter.FinishedGte,
		"finished_lt": v.Filter.FinishedLt,
	} {
		if value != "" {
			v.Query.Set(name, value)
		}
	}
}

// list returns the URL parameters with which the script requests the rows of the page's filter from the
// API.
func (v *repairPage) list() url.Values {
	q := url.Values{"status": {cmp.Or(v.Filter.Status, "failed,error")}, "limit": {"500"}}
	if v.Filter.Resolution == "" {
		q.Set("superseded", "false")
	}
	for name := range v.Query {
		q.Set(name, v.Query.Get(name))
	}
	return q
}

// at returns the path of the page that begins at a cursor. The cursor "" means the first page.
func (v *repairPage) at(cursor string) string {
	q := url.Values{}
	for name := range v.Query {
		q.Set(name, v.Query.Get(name))
	}
	setOr(q, "cursor", cursor)
	return v.pathOf(q)
}

// gridColumns returns the columns of a task's file in their order, and then the columns of the kind
// that the file lacks.
func (p *Handlers) gridColumns(c *gin.Context, t *tasks.Task) (out []gridColumn) {
	kind, _ := p.Kinds.Kind(t.Kind)
	var fields []rowschema.Field
	if kind.Schema != nil {
		fields = kind.Schema.Fields
	}
	add := func(name, label string) {
		col := gridColumn{Name: name, Label: label}
		if i := slices.IndexFunc(fields, func(f rowschema.Field) bool { return f.Name == name }); i >= 0 {
			f := &fields[i]
			col.Type, col.Required, col.Sensitive, col.Key = f.Type, f.Required, f.Sensitive, f.Key
			col.Known, col.Hint = f.Offered(), kind.HintOf(c.GetString(request.LangKey), f)
			col.Comma = t.Options["decimal"] == "," && f.TakesDecimal()
		}
		out = append(out, col)
	}
	for _, col := range t.Columns {
		if col.Field != "" {
			add(col.Field, col.Header)
		} else if col.Header != "" {
			add(col.Header, col.Header)
		}
	}
	for i := range fields {
		f := &fields[i]
		if !slices.ContainsFunc(out, func(col gridColumn) bool { return col.Name == f.Name }) {
			add(f.Name, kind.ColumnTitle(c.GetString(request.LangKey), f))
		}
	}
	return out
}

// gridRow returns a row for the grid. Cells without a column come last.
func (p *Handlers) gridRow(c *gin.Context, t *tasks.Task, e *events.Event, columns []gridColumn) gridRow {
	loc := p.Locale.Localizer(c, t)
	shown := loc.Event(e)
	cells := map[string]string{}
	_ = json.Unmarshal(loc.Kind.Show(json.RawMessage(e.Params)), &cells) // a row with invalid JSON has no cells
	row := gridRow{
		Seq: e.ID.Seq(), Row: e.Row, Version: e.Version, Status: e.Status, State: string(e.State()),
	}
	at := map[string]int{}
	for _, col := range columns {
		at[col.Name] = len(row.Cells)
		row.Cells = append(row.Cells, gridCell{Column: col, Text: cells[col.Name]})
		delete(cells, col.Name)
	}
	for _, name := range rows.SortedKeys(cells) {
		at[name] = len(row.Cells)
		row.Cells = append(row.Cells, gridCell{Column: gridColumn{Name: name, Label: name}, Text: cells[name]})
	}
	if e.Faultless() {
		return row
	}
	for _, f := range shown.Faults() {
		if i, ok := at[f.Column]; ok {
			row.Cells[i].Message, row.Cells[i].Hint = f.Message, f.Hint
		} else {
			row.Notes = append(row.Notes, f.Message)
		}
	}
	return row
}
