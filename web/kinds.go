package web

import (
	"cmp"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/worker"
)

type kindView struct {
	Name       string            `json:"name"`
	Columns    []columnView      `json:"columns"`
	Schema     map[string]any    `json:"schema,omitempty" doc:"Of a row, as JSON Schema; absent if it takes no rows."`
	MaxRetries int               `json:"max_retries"`
	Shards     int               `json:"shards"`
	Export     *exportKindView   `json:"export,omitempty"` // what files it makes
	Links      map[string]string `json:"links,omitempty" schema:"ref=Links"`
}

// exportKindView is what a kind's files can be asked for.
type exportKindView struct {
	Columns []table.Column `json:"columns"`
	Params  []columnView   `json:"params"`
	Schema  map[string]any `json:"schema" doc:"Of 'params', as JSON Schema."`
	Formats []string       `json:"formats"`
}

func viewExport(k worker.Kind, lang string) *exportKindView {
	e := k.Export
	if e == nil {
		return nil
	}
	v := &exportKindView{
		Columns: e.Columns, Params: []columnView{},
		Formats: []string{table.XLSX, table.CSV, table.TSV, table.JSONLines},
	}
	params := cmp.Or(e.Params, &worker.Schema{})
	v.Schema = params.JSON(k.Name)
	for i := range params.Fields {
		v.Params = append(v.Params, viewColumn(k, &params.Fields[i], lang))
	}
	return v
}

// columnView is what an editor of a row needs to know of a column.
type columnView struct {
	Name      string     `json:"name"`
	Aliases   []string   `json:"aliases"`
	Type      string     `json:"type" schema:"enum=text|number|integer|date|boolean"`
	Key       bool       `json:"key"`
	Required  bool       `json:"required"`
	Sensitive bool       `json:"sensitive" doc:"Shown as '••••' and its last characters."`
	Enum      []string   `json:"enum"`
	Rules     []ruleView `json:"rules"`
	Formats   []string   `json:"formats" doc:"Of a date, as 'YYYY-MM-DD'."`
	Locale    *string    `json:"locale"`
	Units     []string   `json:"units"`
	Example   *string    `json:"example"`
	Hint      *string    `json:"hint"`
}

// ruleView is a rule such as max, 64.
type ruleView struct {
	Name  string  `json:"name"`
	Param *string `json:"param"`
}

func viewKind(k worker.Kind, lang string) kindView {
	v := kindView{Name: k.Name, Columns: []columnView{}, MaxRetries: k.MaxRetries, Shards: k.Shards}
	if v.Export = viewExport(k, lang); k.Schema == nil {
		return v
	}
	v.Schema = k.Schema.JSON(k.Name)
	template := "/api/v1/kinds/" + k.Name + "/template"
	v.Links = map[string]string{"template": template, "template_csv": template + "?format=csv"}
	for i := range k.Schema.Fields {
		v.Columns = append(v.Columns, viewColumn(k, &k.Schema.Fields[i], lang))
	}
	return v
}

func viewColumn(k worker.Kind, f *worker.Field, lang string) columnView {
	rules := []ruleView{}
	for _, r := range f.Rules {
		rules = append(rules, ruleView{r.Name, optional(r.Param)})
	}
	return columnView{
		f.Name, append([]string{}, f.Aliases...), f.Type, f.Key, f.Required, f.Sensitive,
		append([]string{}, f.Enum...), rules, append([]string{}, f.DatePatterns()...),
		optional(f.Locale), append([]string{}, f.Units...), optional(f.Example),
		optional(k.HintOf(lang, f)),
	}
}

// listKinds serves GET /kinds.
func (s *Server) listKinds(c *gin.Context) error {
	items := []kindView{}
	for _, k := range s.opt.Kinds.Kinds() {
		items = append(items, viewKind(k, c.GetString(langKey)))
	}
	return answerPage(c, items, nil)
}

// getKind serves GET /kinds/{kind}.
func (s *Server) getKind(c *gin.Context) error {
	k, ok := s.opt.Kinds.Kind(c.Param("kind"))
	if !ok {
		return problem.ErrNotFound
	}
	c.JSON(http.StatusOK, viewKind(k, c.GetString(langKey)))
	return nil
}
