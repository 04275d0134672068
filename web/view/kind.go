package view

import (
	"cmp"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Kind is a registered kind with its columns.
type Kind struct {
	Name       string         `json:"name"`
	Title      string         `json:"title" doc:"Title for users, in the language of the request."`
	Help       *string        `json:"help" doc:"What the kind does with a row."`
	Columns    []Column       `json:"columns"`
	Schema     map[string]any `json:"schema,omitempty" doc:"JSON Schema of a row; absent if the kind accepts no rows."`
	MaxRetries int            `json:"max_retries"`
	Shards     int            `json:"shards"`
	Export     *KindExport    `json:"export,omitempty"` // the files that the kind can export
	Links      Links          `json:"links,omitempty" schema:"ref=Links"`
}

// KindExport holds the properties of the files that a kind can export.
type KindExport struct {
	Columns []table.Column `json:"columns"`
	Params  []Column       `json:"params"`
	Schema  map[string]any `json:"schema" doc:"JSON Schema of 'params'."`
	Formats []string       `json:"formats"`
}

// OfKindExport returns the view of a kind's export; nil if the kind has no export.
func OfKindExport(k jobs.Kind, lang string) *KindExport {
	e := k.Export
	if e == nil {
		return nil
	}
	v := &KindExport{
		Columns: e.Columns, Params: []Column{},
		Formats: []string{table.XLSX, table.CSV, table.TSV, table.JSONLines},
	}
	params := cmp.Or(e.Params, &rowschema.Schema{})
	v.Schema = params.JSON(k.Name)
	for i := range params.Fields {
		v.Params = append(v.Params, OfColumn(k, &params.Fields[i], lang))
	}
	return v
}

// Column is a column of a kind, or a parameter of an export.
type Column struct {
	Name      string   `json:"name"`
	Title     string   `json:"title" doc:"Title for users, in the language of the request."`
	Aliases   []string `json:"aliases"`
	Type      string   `json:"type" schema:"enum=text|number|integer|date|boolean"`
	Key       bool     `json:"key"`
	Version   bool     `json:"version" doc:"The values of this column decide which row of a key is the newest."`
	Required  bool     `json:"required"`
	Sensitive bool     `json:"sensitive" doc:"Values are shown as '••••' and their last characters."`
	Enum      []string `json:"enum"`
	Known     []string `json:"known" doc:"Usual values; a row may have others."`
	Rules     []Rule   `json:"rules"`
	Formats   []string `json:"formats" doc:"Formats of a date, such as 'YYYY-MM-DD'."`
	Locale    *string  `json:"locale"`
	Units     []string `json:"units"`
	Example   *string  `json:"example"`
	Hint      *string  `json:"hint"`
	None      *string  `json:"none" doc:"What an empty value means."`
}

// Rule is a rule for the values of a column, such as max with the parameter 64.
type Rule struct {
	Name  string  `json:"name"`
	Param *string `json:"param"`
}

// OfKind returns the view of a kind, with texts in a language.
func OfKind(k jobs.Kind, lang string) Kind {
	v := Kind{
		Name: k.Name, Title: k.DisplayName(lang), Help: textutil.Optional(k.HelpIn(lang)),
		Columns: []Column{}, MaxRetries: k.MaxRetries, Shards: k.Shards,
	}
	if v.Export = OfKindExport(k, lang); k.Schema == nil {
		return v
	}
	v.Schema = k.Schema.JSON(k.Name)
	template := "/api/v1/kinds/" + k.Name + "/template"
	v.Links = Links{"template": template, "template_csv": template + "?format=csv"}
	for i := range k.Schema.Fields {
		v.Columns = append(v.Columns, OfColumn(k, &k.Schema.Fields[i], lang))
	}
	return v
}

// OfColumn returns the view of a column, with texts in a language.
func OfColumn(k jobs.Kind, f *rowschema.Field, lang string) Column {
	rules := []Rule{}
	for _, r := range f.Rules {
		rules = append(rules, Rule{r.Name, textutil.Optional(r.Param)})
	}
	return Column{
		f.Name, k.ColumnTitle(lang, f), append([]string{}, f.Aliases...), f.Type, f.Key, f.Version, f.Required, f.Sensitive,
		append([]string{}, f.Enum...), append([]string{}, f.Known...), rules, append([]string{}, f.DatePatterns()...),
		textutil.Optional(f.Locale), append([]string{}, f.Units...), textutil.Optional(f.Example),
		textutil.Optional(k.HintOf(lang, f)), textutil.Optional(k.NoneOf(lang, f)),
	}
}
