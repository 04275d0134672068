package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// previewsAtOnce is how many uploads one process looks through side by side:
// each takes a core and some tens of megabytes. The others wait.
const previewsAtOnce = 2

// What a rate is made of: the last tasks of the kind, if they were not too
// small to say anything.
const (
	rateTasks = 20
	rateRows  = 100
)

// previewView is what would become of an upload.
type previewView struct {
	Kind      string         `json:"kind"`
	Name      string         `json:"name" doc:"Of the file."`
	Format    string         `json:"format"`
	Encoding  *string        `json:"encoding"`
	Delimiter *string        `json:"delimiter"`
	Sheet     *string        `json:"sheet"`
	Sheets    []string       `json:"sheets"`
	HeaderRow *int           `json:"header_row"`
	Columns   []tasks.Column `json:"columns"`

	Unknown []string            `json:"unknown" doc:"Headings that are no column of the kind."`
	Missing []importers.Missing `json:"missing"`
	Mapping map[string]string   `json:"suggested_mapping"` // heading to field, for options.mapping
	Problem *importers.Problem  `json:"problem"`

	Rows       []importers.PreviewRow   `json:"rows" schema:"maxItems=50"`
	Counts     previewCounts            `json:"counts"`
	Groups     []importers.PreviewGroup `json:"error_groups"`
	Duplicates importers.Duplicates     `json:"duplicates"`
	Warnings   []string                 `json:"warnings"`
	EstimateS  *int64                   `json:"estimate_s" doc:"By the last tasks of the kind."`
}

type previewCounts struct {
	Total        int64 `json:"total"`
	TotalIsFinal bool  `json:"total_is_final"`
	Valid        int64 `json:"valid"`
	Invalid      int64 `json:"invalid"`
}

// previewImport serves POST /imports/preview: what POST /tasks would make of
// the same request. Nothing of it is kept.
func (s *Server) previewImport(c *gin.Context) error {
	u := &upload{dry: true}
	w, err := s.readSource(c, u)
	defer func() { _ = s.drop(c.Request.Context(), u) }() // a file without a name, of which nothing is left
	if err != nil {
		return err
	}
	if w.export != nil {
		return problem.BadMember("type", http.StatusUnprocessableEntity, "An export has no preview.")
	}
	v, err := s.preview(c, u, u.scratch)
	if err != nil {
		return err
	}
	if err := errors.Join(u.checkMapping(v.Columns), u.checkKey(v.Columns)); err != nil {
		return err
	}
	c.JSON(http.StatusOK, v)
	return nil
}

// preview reads the whole file of an upload, and returns what would become of it. The
// API and the page share the number of files that are read at once.
func (s *Server) preview(c *gin.Context, u *upload, f *blobs.File) (v previewView, err error) {
	ctx := c.Request.Context()
	select {
	case s.looking <- struct{}{}:
		defer func() { <-s.looking }()
	case <-ctx.Done():
		return v, ctx.Err()
	}
	found, err := importers.Look(ctx, f, f.Size, u.kind, u.options.Options, u.lines)
	if err != nil {
		return v, err
	}
	voice{kind: u.kind, lang: c.GetString(langKey)}.preview(found)
	v = viewPreview(u, found)
	v.EstimateS, err = s.estimate(ctx, s.tenant(c), u.kind.Name, v.Counts.Valid)
	return v, err
}

// preview has a preview told, and sensitive columns hidden.
func (v voice) preview(p *importers.Preview) {
	for i := range p.First {
		row := &p.First[i]
		row.Cells = v.kind.Show(row.Cells)
		for name, value := range row.Values {
			if text := fmt.Sprint(value); v.kind.ShowValue(name, text) != text {
				row.Values[name] = v.kind.ShowValue(name, text)
			}
		}
		row.Errors = v.fields(row.Errors)
		for j := range row.Errors {
			row.Errors[j] = v.shown(row.Errors[j])
		}
	}
	for i := range p.Groups {
		p.Groups[i].Tell(v.shown(v.field(p.Groups[i].Fault)))
	}
	if p.Problem != nil {
		told := *p.Problem
		told.Detail = problem.OfFile(p.Problem).Localize(v.lang).Detail
		p.Problem = &told
	}
}

// shown hides the value of a sensitive column.
func (v voice) shown(f events.Field) events.Field {
	f.Value = v.kind.ShowValue(f.Column, f.Value)
	return f
}

func viewPreview(u *upload, p *importers.Preview) previewView {
	v := previewView{
		Kind: u.kind.Name, Name: u.called, Format: p.Format, Encoding: optional(p.Encoding),
		Delimiter: optional(p.Delimiter), Sheet: optional(p.Sheet), Sheets: list(p.Sheets),
		Columns: list(p.Columns), Unknown: []string{}, Missing: list(p.Missing), Mapping: p.Near, Problem: p.Problem,
		Rows: list(p.First), Groups: list(p.Groups), Duplicates: p.Duplicates,
		Warnings: list(p.Warnings),
		Counts:   previewCounts{p.Rows, !p.Partial, p.Rows - p.Invalid, p.Invalid},
	}
	if v.Mapping == nil {
		v.Mapping = map[string]string{}
	}
	v.Duplicates.Examples = list(v.Duplicates.Examples)
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

// list is never null in JSON.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// estimate is how many seconds so many rows will take, by the tasks of the kind
// that ended last; nil if none says anything.
func (s *Server) estimate(ctx context.Context, tenant, kind string, rows int64) (*int64, error) {
	last, err := s.opt.Tasks.List(ctx, tenant, tasks.Filter{Kind: kind, Limit: rateTasks})
	if err != nil {
		return nil, err
	}
	n, ms := int64(0), int64(0)
	for _, t := range last {
		if ran := t.Finish + t.Error; t.Status.Done() && t.StartedAt > 0 && ran >= rateRows {
			n += ran
			ms += max(t.FinishedAt-t.StartedAt, 1)
		}
	}
	if n == 0 {
		return nil, nil //nolint:nilnil // nothing is known
	}
	seconds := int64(math.Ceil(float64(rows) * float64(ms) / float64(n) / 1000))
	return &seconds, nil
}
