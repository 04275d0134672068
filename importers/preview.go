package importers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// previewRows, previewGroups and previewExamples are the maximum numbers of rows, of error groups and of
// examples in a Preview.
const (
	previewRows     = 50
	previewGroups   = 1000
	previewExamples = 20
	checkEvery      = 256 // rows between two checks of the context
)

// Preview is the expected result of the import of an upload.
type Preview struct {
	Inspection
	Sheets  []string  // visible sheets of a workbook
	Missing []Missing // required fields without a column

	// Problem is the reason why the service would reject the upload or could not read it to its end. It
	// is nil if the service could import the upload. If the field Partial is true, the other fields
	// describe only the rows before the Problem.
	Problem *tabular.Problem
	Partial bool // the rows after the Problem are not counted

	First      []PreviewRow // up to 50
	Rows       int64        // number of rows
	Invalid    int64        // number of rows with a fault other than a missing column
	Groups     []PreviewGroup
	Unusual    []Unusual // by column
	Duplicates Duplicates
}

// Missing is a required field that no column of the file matches.
type Missing struct {
	Field   string `json:"field"`
	Nearest string `json:"nearest,omitempty" doc:"The most similar heading of the file."`
}

// PreviewRow is a row with the values that its import would store.
type PreviewRow struct {
	Row    int             `json:"row"`           // as users see it in the file
	Key    string          `json:"key,omitempty"` // ordering key
	Cells  json.RawMessage `json:"cells" doc:"The cells as the file has them."`
	Values map[string]any  `json:"values" doc:"The values that the handler gets." schema:"null"`
	Errors []events.Field  `json:"errors" schema:"null"`
}

// PreviewGroup is a group of invalid rows with the same cause, as in the error groups of a task. The
// cause is the column and code of their first fault. A Preview has up to 1,000 groups.
type PreviewGroup struct {
	Column   *string `json:"column"` // null: the row as a whole
	Value    string  `json:"value"`
	Code     string  `json:"code"`
	Message  string  `json:"message"`
	Hint     string  `json:"hint,omitempty"`
	Count    int64   `json:"count"`
	FirstRow int     `json:"first_row"`

	Fault events.Field `json:"-" schema:"-"` // of the first row
}

// SetTexts copies the column, value, code and texts of a fault to the group. The caller may have
// translated the texts.
func (g *PreviewGroup) SetTexts(f events.Field) {
	g.Column, g.Value, g.Code, g.Message, g.Hint = textutil.Optional(f.Column), f.Value, f.Code, f.Message, f.Hint
}

// Duplicates holds the number of keys that occur in several rows, and the number of rows whose key an
// earlier row has. It also holds up to 20 examples of such rows.
type Duplicates struct {
	Keys     int64       `json:"keys" doc:"Keys that occur more than once."`
	Rows     int64       `json:"rows" doc:"Rows whose key an earlier row of the file has."`
	Examples []Duplicate `json:"examples"` // up to 20
}

// Duplicate is a row whose key also occurs in an earlier row.
type Duplicate struct {
	Key      string `json:"key"`
	Row      int    `json:"row"`
	FirstRow int    `json:"first_row"` // with the same key
}

// ReadPreview reads an upload to its end like a Splitter, but stores nothing. A problem that another
// mapping could fix is part of the Preview. So is a problem that ends the reading of the rows. For any
// other problem of the file, ReadPreview returns a *tabular.Problem. The argument `lines` is true for an
// upload with one JSON object per line. The memory for the file is bounded by opt.Limits. In addition,
// ReadPreview takes about 60 bytes for each key.
func ReadPreview(
	ctx context.Context, r io.ReaderAt, size int64, kind jobs.Kind, opt Options, lines bool,
) (*Preview, error) {
	s := &previewBuilder{kind: kind, groups: map[[2]string]*PreviewGroup{}, unusual: unusualColumns(kind.Schema)}
	file, err := s.recognize(r, size, opt, lines)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := s.open(file, opt)
	if err != nil {
		return nil, err
	}
	defer rows.close()
	s.policy = newPolicy(opt.Duplicates, rows.keyName(), "")
	s.keys = s.policy.keys
	if err := s.addAll(ctx, rows); err != nil {
		if s.Partial = true; !errors.As(err, &s.Problem) {
			return nil, err
		}
	}
	s.Warnings = joined(s.Warnings, rows.warnings())
	s.Unusual = unusualOf(s.unusual)
	for _, g := range s.groups {
		s.Groups = append(s.Groups, *g)
	}
	slices.SortFunc(s.Groups, func(a, b PreviewGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.FirstRow, b.FirstRow),
			cmp.Compare(a.Fault.Column, b.Fault.Column), cmp.Compare(a.Code, b.Code))
	})
	return &s.Preview, nil
}

// previewBuilder holds a Preview that ReadPreview is making.
type previewBuilder struct {
	Preview
	kind   jobs.Kind
	policy *policy
	keys   *keyIndex
	groups map[[2]string]*PreviewGroup // by code and column

	unusual []*unusualColumn
}

// recognize detects the format of the upload, and inspects it if its rows are JSON.
func (s *previewBuilder) recognize(r io.ReaderAt, size int64, opt Options, lines bool) (c *source.File, err error) {
	if lines {
		if s.Inspection, err = InspectJSONLines(io.NewSectionReader(r, 0, size), s.kind); err != nil {
			return nil, err
		}
		return source.RecognizeJSON(r, size, opt.Reading(), jsonrows.FormatLines)
	}
	if c, err = source.Recognize(r, size, opt.Reading()); err != nil {
		return nil, err
	}
	if rows := c.Rows(); rows != nil {
		if s.Inspection, err = inspectJSON(rows, s.kind, opt); err != nil {
			return nil, tabular.FirstErr(err, c.Close())
		}
	}
	return c, nil
}

// open returns a stream of the rows of the file.
func (s *previewBuilder) open(c *source.File, opt Options) (stream, error) {
	if rows := c.Rows(); rows != nil {
		return newJSONStream(rows, s.kind, opt), nil
	}
	src, in, m, err := matchTable(c, s.kind, opt)
	if src == nil {
		return nil, err
	}
	s.Inspection = in
	if err != nil && !errors.As(err, &s.Problem) {
		return nil, tabular.FirstErr(err, src.Close())
	}
	s.Sheets = src.Sheets
	for _, f := range m.Missing {
		s.Missing = append(s.Missing, Missing{f.Name, in.nearHeading(f.Name)})
	}
	rows := newTableStream(src, s.kind, s.Columns).withColumns(opt)
	rows.maker.DecimalBy(s.Decimal)
	return rows, nil
}

// addAll adds every row to the preview.
func (s *previewBuilder) addAll(ctx context.Context, rows stream) error {
	for {
		switch err := rows.next(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if s.Rows++; s.Rows%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.addRow(rows.draft()); err != nil {
			return err
		}
	}
}

func (s *previewBuilder) addRow(d events.Draft) error {
	if d.Key != "" {
		s.addKey(&d)
	}
	faults := s.faults(d)
	if len(faults) > 0 {
		s.Invalid++
		s.addGroup(d.Row, faults[0])
	}
	if len(s.First) < previewRows {
		s.First = append(s.First, PreviewRow{
			d.Row, d.Key, d.Params, s.kind.Cast(d.Params), faults,
		})
	}
	if d.Failure != nil {
		return nil
	}
	return s.addUnusual(d.Row, d.Params)
}

// faults returns the faults of a row. It leaves out faults of missing columns, because they concern the
// file.
func (s *previewBuilder) faults(d events.Draft) []events.Field {
	out := []events.Field{}
	if d.Failure == nil {
		return out
	}
	for _, f := range d.Failure.Fields {
		lacks := func(m Missing) bool { return m.Field == f.Column }
		if f.Code != rowschema.CodeRequired || !slices.ContainsFunc(s.Missing, lacks) {
			out = append(out, f)
		}
	}
	return out
}

// addGroup counts a row in the group of the code and column of its first fault. Once there are 1,000
// groups, it adds no group.
func (s *previewBuilder) addGroup(row int, f events.Field) {
	k := [2]string{f.Code, f.Column}
	g := s.groups[k]
	if g == nil {
		if len(s.groups) == previewGroups {
			return
		}
		g = &PreviewGroup{Fault: f, FirstRow: row}
		g.SetTexts(f)
		s.groups[k] = g
	}
	g.Count++
}

// addKey counts a row if an earlier row has the same key. With the policy Refuse, it makes the counted
// row invalid. It ignores a row whose key cell has a fault.
func (s *previewBuilder) addKey(d *events.Draft) {
	if s.policy.broken(*d) {
		return
	}
	first, known := s.keys.add(d.Key, rowPosition{row: uint32(d.Row), seq: uint32(s.Rows)})
	if !known {
		return
	}
	dup := &s.Duplicates
	if dup.Rows++; s.keys.markRepeated(d.Key) {
		dup.Keys++
	}
	if len(dup.Examples) < previewExamples {
		dup.Examples = append(dup.Examples, Duplicate{d.Key, d.Row, int(first.row)})
	}
	if s.policy.which == Refuse {
		d.Failure = duplicated(*d, s.policy.column, first)
	}
}

// columnsOf returns the headings of a file, each with the field that it is mapped to.
func columnsOf(headings []string, m rowschema.Matching) []tasks.Column {
	var out []tasks.Column
	for i, h := range headings {
		c := tasks.Column{Header: h}
		if f := m.Fields[i]; f != nil {
			c.Field = f.Name
		}
		out = append(out, c)
	}
	return out
}
