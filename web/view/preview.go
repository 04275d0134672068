package view

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Preview is the result that the import of an upload would have.
type Preview struct {
	Kind      string         `json:"kind"`
	Name      string         `json:"name" doc:"Name of the file."`
	Format    string         `json:"format"`
	Encoding  *string        `json:"encoding"`
	Delimiter *string        `json:"delimiter"`
	Sheet     *string        `json:"sheet"`
	Sheets    []string       `json:"sheets"`
	HeaderRow *int           `json:"header_row"`
	Columns   []tasks.Column `json:"columns"`

	Unknown []string            `json:"unknown" doc:"Headings that match no column of the kind."`
	Missing []importers.Missing `json:"missing"`
	Mapping map[string]string   `json:"suggested_mapping"` // heading to field, for options.mapping
	Problem *tabular.Problem    `json:"problem"`

	Rows       []importers.PreviewRow   `json:"rows" schema:"maxItems=50"`
	Counts     PreviewCounts            `json:"counts"`
	Groups     []importers.PreviewGroup `json:"error_groups"`
	Unusual    []importers.Unusual      `json:"unusual" doc:"Columns with values that are none of their usual values. Handlers may refuse them."`
	Duplicates importers.Duplicates     `json:"duplicates"`
	Warnings   []string                 `json:"warnings"`
	EstimateS  *int64                   `json:"estimate_s" doc:"Expected duration in seconds, computed from the last tasks of the kind."`
}

// PreviewCounts holds the numbers of rows of a preview.
type PreviewCounts struct {
	Total        int64 `json:"total"`
	TotalIsFinal bool  `json:"total_is_final"`
	Valid        int64 `json:"valid"`
	Invalid      int64 `json:"invalid"`
}

// Preview changes the texts of a preview to the language of the caller, and masks sensitive values.
func (v Localizer) Preview(p *importers.Preview) {
	for i := range p.First {
		row := &p.First[i]
		row.Cells = v.Kind.Show(row.Cells)
		for name, value := range row.Values {
			if text := fmt.Sprint(value); v.Kind.ShowValue(name, text) != text {
				row.Values[name] = v.Kind.ShowValue(name, text)
			}
		}
		row.Errors = v.Fields(row.Errors)
		for j := range row.Errors {
			row.Errors[j] = v.masked(row.Errors[j])
		}
	}
	for i := range p.Groups {
		p.Groups[i].SetTexts(v.masked(v.Field(p.Groups[i].Fault)))
	}
	if p.Problem != nil {
		localized := *p.Problem
		localized.Detail = problem.OfFile(p.Problem).Localize(v.Lang).Detail
		p.Problem = &localized
	}
}

// masked returns a field fault with a masked value if its column is sensitive.
func (v Localizer) masked(f events.Field) events.Field {
	f.Value = v.Kind.ShowValue(f.Column, f.Value)
	return f
}

// OfPreview returns the view of a preview. The argument `file` is the name of the file.
func OfPreview(kind, file string, p *importers.Preview) Preview {
	v := Preview{
		Kind: kind, Name: file, Format: p.Format, Encoding: textutil.Optional(p.Encoding),
		Delimiter: textutil.Optional(p.Delimiter), Sheet: textutil.Optional(p.Sheet), Sheets: NonNil(p.Sheets),
		Columns: NonNil(p.Columns), Unknown: []string{}, Missing: NonNil(p.Missing), Mapping: p.Near, Problem: p.Problem,
		Rows: NonNil(p.First), Groups: NonNil(p.Groups), Unusual: NonNil(p.Unusual), Duplicates: p.Duplicates,
		Warnings: NonNil(p.Warnings),
		Counts:   PreviewCounts{p.Rows, !p.Partial, p.Rows - p.Invalid, p.Invalid},
	}
	if v.Mapping == nil {
		v.Mapping = map[string]string{}
	}
	v.Duplicates.Examples = NonNil(v.Duplicates.Examples)
	if p.HeaderRow > 0 {
		v.HeaderRow = &p.HeaderRow
	}
	for _, c := range p.Columns {
		if c.Field == "" {
			v.Unknown = append(v.Unknown, c.Header)
		}
	}
	return v
}
