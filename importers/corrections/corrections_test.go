package corrections

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// stocked is a kind with texts, a number, a date and a truth value.
type stocked struct {
	SKU   string    `row:"SKU" key:"true" validate:"required"`
	Price float64   `row:"Price" validate:"gt=0"`
	Start time.Time `row:"Start"`
	Sold  bool      `row:"Sold"`
	Brand string    `row:"Brand" alias:"maker"`
}

// resultCase is a task whose rows are in memory, with the changes that were applied to them.
type resultCase struct {
	t       *testing.T
	kind    jobs.Kind
	result  results.Result
	rows    []*events.Event
	applied []review.ValidatedRow
}

// newResultCase returns a result of failed rows with the columns SKU, Price, Start, Sold and Zip. The
// column Zip feeds no field.
func newResultCase(t *testing.T, rows ...[]string) *resultCase {
	t.Helper()
	return newResultCaseOf(t, []string{"SKU", "Price", "Start", "Sold", "Zip"}, rows...)
}

// newResultCaseOf is like newResultCase, with other headings.
func newResultCaseOf(t *testing.T, headings []string, rows ...[]string) *resultCase {
	t.Helper()
	s := &resultCase{t: t, kind: jobs.KindOf(worker.Define("stocked", func(context.Context, *worker.Job[stocked]) error { return nil }))}
	s.result = resultFor(s.kind, headings, rows...)
	for e, err := range s.result.Rows {
		if err != nil {
			t.Fatal(err)
		}
		e.Status, e.Key = events.Failed, rows[len(s.rows)][0]
		s.rows = append(s.rows, e)
	}
	s.result.Rows = func(yield func(*events.Event, error) bool) {
		for _, e := range s.rows {
			if !yield(e, nil) {
				return
			}
		}
	}
	return s
}

// correct sends a corrected file, and makes the changes as a store would.
func (s *resultCase) correct(content string) (Report, error) {
	s.t.Helper()
	s.applied = nil
	c := Corrections{
		Task: s.result.Task, Kind: s.kind,
		Look: func(_ context.Context, seqs []int64) (out []events.Event, err error) {
			for _, seq := range seqs {
				out = append(out, *s.rows[seq-1])
			}
			return out, nil
		},
		Apply: s.apply,
	}
	return c.Run(s.t.Context(), strings.NewReader(content), int64(len(content)))
}

// apply validates the corrections, and changes the rows as a store would.
func (s *resultCase) apply(ctx context.Context, list []Correction) ([]RowResult, error) {
	changes, out := make([]review.RowChange, len(list)), make([]RowResult, len(list))
	for i, fix := range list {
		changes[i] = review.RowChange{Event: fix.Event, Cells: fix.Cells, Named: true, Found: fix.Found}
	}
	validated, err := review.NewValidator(s.kind, s.result.Task, s, false).Validate(ctx, changes)
	for i := range validated {
		r := &validated[i]
		e := s.rows[r.Event.ID.Seq()-1]
		if out[i].Fault = r.Fault; r.Refused != nil {
			return nil, r.Refused
		}
		if e.Params = string(r.Params()); r.MayRun() {
			e.Status = events.Enqueue
		}
	}
	s.applied = append(s.applied, validated...)
	return out, err
}

// Holders implements the ledger of the validator.
func (s *resultCase) Holders(
	_ context.Context, _ int64, _ events.Lane, _ decisions.KeyRule, keys []string,
) (out []decisions.Holder, err error) {
	for _, e := range s.rows {
		if slices.Contains(keys, e.Key) && !e.Duplicate() {
			out = append(out, decisions.Holder{ID: e.ID, Row: e.Row, Key: e.Key})
		}
	}
	return out, nil
}

// counts sends a corrected file. It compares the numbers of the report with want, and the codes of
// the findings with codes.
func (s *resultCase) counts(content string, want Report, codes ...string) Report {
	s.t.Helper()
	got, err := s.correct(content)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Report{}, "Findings", "Warnings")); diff != "" {
		s.t.Errorf("report (-want +got):\n%s%+v", diff, got.Findings)
	}
	var found []string
	for _, f := range got.Findings {
		found = append(found, f.Code)
	}
	if diff := cmp.Diff(codes, found, cmpopts.EquateEmpty()); diff != "" {
		s.t.Errorf("codes (-want +got):\n%s", diff)
	}
	return got
}

func id(seq int) string { return fmt.Sprintf("%s.%d", correctedTask, seq) }

// TestUnchangedFile: a result that is sent back unchanged changes nothing, in each format, whatever
// its cells contain.
func TestUnchangedFile(t *testing.T) {
	t.Parallel()
	var rows [][]string
	for _, text := range uploads.OddTexts {
		rows = append(rows, []string{text, text, text, text, text})
	}
	for _, format := range []string{"xlsx", "csv", "tsv", "jsonl"} {
		s := newResultCase(t, rows...)
		s.counts(writtenAs(t, s.result, format), Report{Matched: len(rows), Unchanged: len(rows)})
	}
	rows[len(rows)-1][0] = "長;長,\"長"
	rows[len(rows)-1] = []string{rows[len(rows)-1][0], "&#1078;"} // escaped, the long text would be eight times as long
	s := newResultCase(t, rows...)
	s.result.Task.FileFormat, s.result.Task.FileEncoding, s.result.Task.FileDelimiter = "csv", "windows-1252", ";"
	content := writtenAs(t, s.result, "csv")
	s.counts(content, Report{Matched: len(rows), Unchanged: len(rows)})
}

// TestUnchangedFile_OddHeading_ChangesNothing tests a column that feeds no field. Its heading is a year, or
// the name of a cell right of the last heading.
func TestUnchangedFile_OddHeading_ChangesNothing(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{"2024", "column 7", "column 5"} {
		for _, format := range []string{"xlsx", "csv", "jsonl"} {
			s := newResultCaseOf(t, []string{"SKU", "Price", "Start", "Sold", heading}, []string{"a", "no", "", "", "7"}, []string{"b", "1", "", "", "8"})
			s.counts(writtenAs(t, s.result, format), Report{Matched: 2, Unchanged: 2})
		}
	}
}

// TestSavedByLibreOffice: a result that LibreOffice 7.4 has opened and saved changes nothing, as a
// workbook, or as a text file with recognised numbers and dates.
func TestSavedByLibreOffice(t *testing.T) {
	t.Parallel()
	var rows [][]string
	for i, text := range uploads.OddTexts[:len(uploads.OddTexts)-1] {
		rows = append(rows, []string{"S" + strconv.Itoa(i), text, text, text, text})
	}
	for _, name := range []string{"libreoffice-saved.xlsx", "libreoffice-from-csv.xlsx"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		s := newResultCase(t, rows...)
		s.counts(string(content), Report{Matched: len(rows), Unchanged: len(rows)})
	}
}

// TestCorrectedRows: values with the same meaning are no changes, others are. The order of columns
// and rows does not count. A new column of a field is used, and others are ignored with a warning.
func TestCorrectedRows(t *testing.T) {
	t.Parallel()
	s := newResultCase(t,
		[]string{"A", "7", "2026-03-31", "yes", "007"}, []string{"B", "x", "2026-03-31", "no", "008"},
		[]string{"C", "-1", "", "", "009"}, []string{"D", "1", "", "", ""}, []string{"=E", "1", "", "", "010"},
		[]string{"F", "2", "", "", "011"}, []string{"G", "1", "", "", ""}, []string{"H", "1", "", "", ""},
	)
	s.rows[5].Status, s.rows[6].Status = events.Finish, events.Working
	head := "Checked;Row id;Zip;maker;Sold;Start;Price;SKU;Status\n"
	line := func(seq int, rest string) string { return ";" + id(seq) + ";" + rest + ";failed\n" }
	got := s.counts(head+
		line(3, "9;;;;-2;C")+ // still wrong
		line(1, "7;;TRUE;2026-03-31T00:00:00;7.00;A")+ // retyped
		"\n;;;;;;;;\n"+
		line(2, "008;Acme;no;2026-03-31;3.50;B")+ // right, and with a brand
		line(5, "010;;;;1;'=E2")+ // guarded
		line(6, "011;;;;3;F")+ // finished
		line(7, ";;;;1;G2")+ // runs
		line(4, ";;;;;"), // emptied: as if deleted
		Report{Matched: 7, Changed: 5, Resubmitted: 2, StillInvalid: 1, Refused: 2, Unchanged: 2},
		rowschema.CodeInvalidNumber, CodeRowFinished, CodeRowBusy)
	if want := `The task has no column "Checked": it is ignored.`; got.Warnings[len(got.Warnings)-1] != want {
		t.Errorf("warnings %q", got.Warnings)
	}
	if f := got.Findings[0]; f.Row != 2 || f.Seq != 3 || f.Column != "Price" {
		t.Errorf("finding %+v", f)
	}
	want := map[string]string{"SKU": "B", "Price": "3.50", "Start": "2026-03-31", "Sold": "no", "Zip": "008", "Brand": "Acme"}
	params := map[string]string{}
	if err := json.Unmarshal(s.applied[1].Params(), &params); err != nil || !cmp.Equal(want, params) {
		t.Errorf("params %v, %v, want %v", params, err, want)
	}
	if r := s.applied[1]; r.Key != "B" || r.Event.Row != 3 {
		t.Errorf("validated row %+v", r)
	}
	if r := s.applied[2]; r.Key != "=E2" {
		t.Errorf("a guarded text has become %q", r.Key)
	}
}

// TestSentTwice: the second file changes nothing.
func TestSentTwice(t *testing.T) {
	t.Parallel()
	s := newResultCase(t, []string{"A", "x"}, []string{"B", "y"})
	content := "SKU,Price,Row id\nA,1," + id(1) + "\nB,-1," + id(2) + "\n"
	s.counts(content, Report{Matched: 2, Changed: 2, Resubmitted: 1, StillInvalid: 1}, rowschema.CodeInvalidNumber)
	s.counts(content, Report{Matched: 2, Unchanged: 2})
}

// TestFilesThatAreRefused: nothing is changed if one row does not belong to the task.
func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	const other = "01a1fcd5-9622-7c11-85aa-000000000000"
	good := "A,1," + id(1) + "\n"
	for name, c := range map[string]struct {
		content, code string
		row, faults   int
	}{
		"no column of ids":  {"SKU,Price\nA,1\n", CodeRowIDMissing, 1, 0},
		"a renamed heading": {"SKU,Cost,Row id\nA,1," + id(1) + "\n", tabular.CodeMissingColumn, 1, 0},
		"a row without one": {"SKU,Price,Row id\n" + good + "B,1,\nC,1,\n", CodeRowIDMissing, 3, 2},
		"not an id":         {"SKU,Price,Row id\n" + good + "B,1,7\n", CodeRowIDUnknown, 3, 1},
		"of another task":   {"SKU,Price,Row id\n" + good + "B,1," + other + ".2\n", CodeRowIDUnknown, 3, 1},
		"beyond the last":   {"SKU,Price,Row id\n" + good + "B,1," + id(3) + "\n", CodeRowIDUnknown, 3, 1},
		"twice":             {"SKU,Price,Row id\n" + good + "B,1," + id(2) + "\nB,2," + id(1) + "\n", CodeRowIDTwice, 4, 1},
		"damaged behind":    {"SKU,Price,Row id\n" + good + "\"B,1," + id(2) + "\n", tabular.CodeUnclosedQuote, 3, 0},
		"no JSON":           {`{"SKU":"A","Price":"1","row_id":"` + id(1) + "\"}\n{\"SKU\":\n", jsonrows.CodeMalformedJSON, 2, 0},
		"no JSON in a list": {`[{"SKU":"A","row_id":"` + id(1) + `"},{"SKU":"B"`, tabular.CodeDamagedFile, 1, 0},
		"JSON without id":   {`{"SKU":"A","Price":"1"}` + "\n", CodeRowIDMissing, 1, 1},
		"empty":             {"", tabular.CodeEmptyFile, 0, 0},
	} {
		s := newResultCase(t, []string{"A", "x"}, []string{"B", "x"})
		_, err := s.correct(c.content)
		var p *tabular.Problem
		if !errors.As(err, &p) || p.Code != c.code || p.Row != c.row || len(p.Errors) != c.faults || s.applied != nil {
			t.Errorf("%s: %v (%+v), %d applied", name, err, p, len(s.applied))
		}
	}
}

// TestCellsBeyondTheHeadings: a row that failed because of cells right of the last heading is valid
// without these cells.
func TestCellsBeyondTheHeadings(t *testing.T) {
	t.Parallel()
	s := newResultCase(t, []string{"A", "1", "", "", "z"}, []string{"B", "1", "", "", "z"})
	code := drafts.CodeTooManyCells
	for _, e := range s.rows {
		e.Code, e.Params = &code, strings.Replace(e.Params, "}", `,"column 7":"more"}`, 1)
	}
	content := writtenAs(t, s.result, "csv")
	s.counts(content, Report{Matched: 2, Unchanged: 2})
	s.counts(strings.Replace(content, ",,more", "", 1), Report{Matched: 2, Changed: 1, Resubmitted: 1, Unchanged: 1})
	if strings.Contains(string(s.applied[0].Params()), "more") {
		t.Errorf("params %s", s.applied[0].Params())
	}
	s = newResultCase(t, []string{"A", "x", "", "", "z"})
	s.counts("SKU,Price,Row id\nA,1,"+id(1)+",more\n", Report{Matched: 1, Changed: 1, StillInvalid: 1}, drafts.CodeTooManyCells)
}

// TestCellsThatStayUnusable: the correction of another cell does not make an unusable cell valid.
func TestCellsThatStayUnusable(t *testing.T) {
	t.Parallel()
	s := newResultCase(t, []string{"A", "x", "", "", "#N/A"})
	fields := `[{"column":"Zip","value":"#N/A","code":"FORMULA_ERROR","message":"shows #N/A"},` +
		`{"column":"Price","code":"INVALID_NUMBER","message":"no"}]`
	s.rows[0].Fields = &fields
	s.counts("SKU,Price,Row id\nA,1,"+id(1)+"\n", Report{Matched: 1, Changed: 1, StillInvalid: 1}, tabular.CodeFormulaError)
	s.rows[0].Fields = &fields
	s.counts("SKU,Price,Zip,Row id\nA,1,z,"+id(1)+"\n", Report{Matched: 1, Changed: 1, Resubmitted: 1})
}

// TestAKeyThatAnotherRowHas: the row stays invalid, whatever else is corrected.
func TestAKeyThatAnotherRowHas(t *testing.T) {
	t.Parallel()
	s := newResultCase(t, []string{"A", "1", "", "", "x"})
	code, column := importers.CodeDuplicateKey, "SKU"
	s.rows[0].Key, s.rows[0].Code, s.rows[0].Col = "A", &code, &column
	s.counts("SKU,Price,Row id\nA,2,"+id(1)+"\n", Report{Matched: 1, Changed: 1, StillInvalid: 1}, importers.CodeDuplicateKey)
	s.counts("SKU,Price,Row id\nB,2,"+id(1)+"\n", Report{Matched: 1, Changed: 1, Resubmitted: 1})
}

// TestARowThatWasRepairedByHand: a file that changes another cell of the row does not bring the
// repaired fault back.
func TestARowThatWasRepairedByHand(t *testing.T) {
	t.Parallel()
	s := newResultCase(t, []string{"A", "1", "", "", "mended"})
	code, column, none := tabular.CodeInvalidEncoding, "Zip", "[]"
	s.rows[0].Code, s.rows[0].Col, s.rows[0].Fields = &code, &column, &none
	s.counts("SKU,Price,Row id\nA,2,"+id(1)+"\n", Report{Matched: 1, Changed: 1, Resubmitted: 1})
}

// TestCorrections_ResultsOfTheValidator_AreCounted: only rows that run again count as resubmitted.
func TestCorrections_ResultsOfTheValidator_AreCounted(t *testing.T) {
	t.Parallel()
	s := newResultCase(t, []string{"A", "x"})
	content := `{"price":1,"row_id":"` + id(1) + `"}`
	for name, tt := range map[string]struct {
		result RowResult
		want   Report
		code   string
	}{
		"runs":    {RowResult{}, Report{Matched: 1, Changed: 1, Resubmitted: 1}, ""},
		"late":    {RowResult{Late: true}, Report{Matched: 1, Changed: 1, Conflicts: 1}, CodeRowMoved},
		"wrong":   {RowResult{Fault: &events.Failure{Code: "X"}}, Report{Matched: 1, Changed: 1, StillInvalid: 1}, "X"},
		"refused": {RowResult{Refused: true, Fault: &events.Failure{Code: "Y"}}, Report{Matched: 1, Changed: 1, Refused: 1}, "Y"},
	} {
		c := Corrections{
			Task: s.result.Task, Kind: s.kind,
			Look:  func(context.Context, []int64) ([]events.Event, error) { return []events.Event{*s.rows[0]}, nil },
			Apply: func(context.Context, []Correction) ([]RowResult, error) { return []RowResult{tt.result}, nil },
		}
		got, err := c.Run(t.Context(), strings.NewReader(content), int64(len(content)))
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Report{}, "Findings")); err != nil || diff != "" {
			t.Errorf("%s: %v, report (-want +got):\n%s", name, err, diff)
		}
		if tt.code != "" && (len(got.Findings) != 1 || got.Findings[0].Code != tt.code) {
			t.Errorf("%s: findings %+v", name, got.Findings)
		}
	}
}

// TestResultOfAnotherCountry: a German number is a number, and has the German form again in the
// result.
func TestResultOfAnotherCountry(t *testing.T) {
	t.Parallel()
	type row struct {
		SKU   string  `row:"SKU" key:"true"`
		Price float64 `row:"Price" locale:"de"`
	}
	kind := jobs.KindOf(worker.Define("german", func(_ context.Context, _ *worker.Job[row]) error { return nil }))
	r := resultFor(kind, []string{"SKU", "Price"}, []string{"a", "12,50"}, []string{"b", "1.234,5"}, []string{"c", "7.5"})
	sheet := writtenAs(t, r, "xlsx")
	z, err := zip.NewReader(strings.NewReader(sheet), int64(len(sheet)))
	if err != nil {
		t.Fatal(err)
	}
	xml := uploads.PartOf(t, z, "xl/worksheets/sheet1.xml")
	for _, want := range []string{`<v>12.50</v>`, `<t>1.234,5</t>`, `<t>7.5</t>`} {
		if !strings.Contains(xml, want) {
			t.Errorf("no %s in %s", want, xml)
		}
	}
	var events []*events.Event
	for e := range r.Rows {
		events = append(events, e)
	}
	s := &resultCase{t: t, kind: kind, result: r, rows: events}
	for _, format := range []string{"xlsx", "csv", "jsonl"} {
		s.counts(writtenAs(t, r, format), Report{Matched: 3, Unchanged: 3})
	}
}

const correctedTask = "01a1fcd5-9622-7c11-85aa-a59e3cd836ba"

// resultFor returns the result of a task with these columns and rows of texts.
func resultFor(kind jobs.Kind, headings []string, rows ...[]string) results.Result {
	t := &tasks.Task{ID: correctedTask, Num: 7, Counts: tasks.Counts{Total: int64(len(rows))}}
	for _, h := range headings {
		c := tasks.Column{Header: h}
		if kind.Schema != nil {
			if f := kind.Schema.Match([]string{h}, nil).Fields[0]; f != nil {
				c.Field = f.Name
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return results.Result{Task: t, Kind: kind, Rows: eventsFor(t, rows)}
}

func eventsFor(t *tasks.Task, rows [][]string) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		for i, cells := range rows {
			params := map[string]string{}
			for j, text := range cells {
				if text != "" {
					params[drafts.ParamName(t.Columns, j)] = text
				}
			}
			b, err := json.Marshal(params)
			e := &events.Event{
				ID: events.NewID(t.Num, int64(i+1)), Row: i + 2, Status: events.Finish, Params: string(b),
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func writtenAs(t *testing.T, r results.Result, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
