package results

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// priced is a kind with texts, numbers and a truth value.
type priced struct {
	SKU   string  `row:"SKU" key:"true"`
	Price float64 `row:"Price"`
	Stock int     `row:"Stock"`
	Sold  bool    `row:"Sold"`
	Start string  `row:"Note"`
}

const resultTask = "01a1fcd5-9622-7c11-85aa-a59e3cd836ba"

// resultOf returns the result of a task with these columns and rows of texts.
func resultOf(kind jobs.Kind, headings []string, rows ...[]string) Result {
	t := &tasks.Task{ID: resultTask, Num: 7, Counts: tasks.Counts{Total: int64(len(rows))}}
	for _, h := range headings {
		c := tasks.Column{Header: h}
		if kind.Schema != nil {
			if f := kind.Schema.Match([]string{h}, nil).Fields[0]; f != nil {
				c.Field = f.Name
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return Result{Task: t, Kind: kind, Rows: eventsOf(t, rows)}
}

func eventsOf(t *tasks.Task, rows [][]string) iter.Seq2[*events.Event, error] {
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

func written(t *testing.T, r Result, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sheetTexts reads a file as an upload, without the columns that a result adds.
func sheetTexts(t *testing.T, content string, columns int) [][]string {
	t.Helper()
	src, err := source.Open(strings.NewReader(content), int64(len(content)), source.Options{HeaderRow: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var out [][]string
	for {
		row, err := src.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		texts := make([]string, columns)
		for i, c := range row.Cells[:columns] {
			if texts[i] = c.Text; c.Code != "" && c.Text != "#N/A" { // the reader treats the text #N/A as an error
				t.Errorf("row %d, cell %d: %s %s", row.Number, i, c.Code, c.Detail)
			}
		}
		out = append(out, texts)
	}
}

// TestResultKeepsEveryText: the texts of an upload are read again from its result, in any column
// and format, by our own reader.
func TestResultKeepsEveryText(t *testing.T) {
	t.Parallel()
	headings := []string{"SKU", "Price", "Stock", "Sold", "Note", "Other"}
	var rows [][]string
	for _, s := range uploads.OddTexts {
		row := []string{"x"}
		for range headings[1:] {
			row = append(row, s)
		}
		rows = append(rows, row)
	}
	kind := jobs.KindOf(worker.Define("kept", func(_ context.Context, _ *worker.Job[priced]) error { return nil }))
	for _, format := range []string{"xlsx", "csv", "tsv"} {
		got := sheetTexts(t, written(t, resultOf(kind, headings, rows...), format), len(headings))
		for i := range got {
			for j := range got[i] {
				if format != tabular.FormatXLSX {
					got[i][j] = table.Unguard(got[i][j])
				}
			}
		}
		want := rows
		if format != tabular.FormatXLSX { // the reader of text files replaces CR LF in a cell by LF
			want = slices.Clone(rows)
			i := slices.Index(uploads.OddTexts, "a\r\nb")
			want[i] = []string{"x", "a\nb", "a\nb", "a\nb", "a\nb", "a\nb"}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%.3000s", format, diff)
		}
	}
}

// TestResultAsOthersReadIt: excelize shows every cell with its original text, also numbers and
// dates.
func TestResultAsOthersReadIt(t *testing.T) {
	t.Parallel()
	type row struct {
		SKU   string    `row:"SKU" key:"true"`
		Price float64   `row:"Price"`
		Start time.Time `row:"Start"`
	}
	kind := jobs.KindOf(worker.Define("shown", func(_ context.Context, _ *worker.Job[row]) error { return nil }))
	rows := [][]string{
		{"007", "1.50", "2026-03-31"},
		{"1", "-12.3456", "1999-12-31T23:59:59"},
		{"x", "007", "1899-01-01"},
		{"=1+1", "100000000000000", "31/02/2026"},
		{"_x000D_", "-0", "0001-01-01"},
	}
	book, err := excelize.OpenReader(strings.NewReader(
		written(t, resultOf(kind, []string{"SKU", "Price", "Start"}, rows...), "xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	got, err := book.GetRows("Result")
	if err != nil {
		t.Fatal(err)
	}
	rows[1][2] = "1999-12-31 23:59:59"
	for i, want := range rows {
		if diff := cmp.Diff(want, got[i+1][:3]); diff != "" {
			t.Errorf("row %d (-want +got):\n%s", i+1, diff)
		}
		if id := got[i+1][len(got[0])-1]; id != resultTask+"."+strconv.Itoa(i+1) {
			t.Errorf("row id %q", id)
		}
	}
	for cell, want := range map[string]excelize.CellType{
		"A2": excelize.CellTypeInlineString, "B2": excelize.CellTypeUnset, "C2": excelize.CellTypeUnset,
		"B4": excelize.CellTypeInlineString, "C5": excelize.CellTypeInlineString,
	} {
		if got, err := book.GetCellType("Result", cell); err != nil || got != want {
			t.Errorf("%s is of type %v, want %v (%v)", cell, got, want, err)
		}
	}
}

// TestResultInTheirOwnWay: a result in text form has the delimiter and the character set of the
// upload. Characters that the set lacks can still be distinguished.
func TestResultInTheirOwnWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, encoding, delimiter, want string }{
		{"csv", "utf-8", ";", "\ufeffA;B;Row;"},
		{"csv", "windows-1252", ",", "A,B,Row,"},
		{"tsv", "utf-16le", "\t", "\xff\xfeA\x00\t\x00B\x00\t\x00R\x00"},
		{"csv", "utf-16be", "|", "\xfe\xff\x00A\x00|\x00B\x00|\x00R"},
		{"csv", "shift_jis", ",", "A,B,Row,"},
		{"csv", "gb18030", ",", "A,B,Row,"},
	} {
		r := resultOf(jobs.Kind{}, []string{"A", "B"}, []string{"é", "ж"})
		r.Task.FileFormat, r.Task.FileEncoding, r.Task.FileDelimiter = c.format, c.encoding, c.delimiter
		if r.Format() != c.format || r.Charset(c.format) != c.encoding || r.Charset("jsonl") != "utf-8" {
			t.Errorf("%v: format %s, charset %s", c, r.Format(), r.Charset(c.format))
		}
		got := written(t, r, c.format)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%v begins with %.30q", c, got)
		}
		if c.encoding == "windows-1252" && !strings.Contains(got, "\n\xe9,&#1078;,2,") {
			t.Errorf("%v: %q", c, got)
		}
		if other := written(t, r, "csv"); c.format == "tsv" && !strings.HasPrefix(other, "\ufeffA,B,Row") {
			t.Errorf("%v as csv: %.30q", c, other)
		}
	}
	lines := resultOf(jobs.Kind{}, []string{"A"})
	for format, want := range map[string]string{"": "xlsx", "xlsx": "xlsx", "jsonl": "jsonl", "json": "jsonl"} {
		if lines.Task.FileFormat = format; lines.Format() != want {
			t.Errorf("the result of %q is %s, want %s", format, lines.Format(), want)
		}
	}
}

// TestAddedHeadingsDifferFromAllOthers: the headings that a result adds differ from those of the upload,
// and from the names of the kind's fields.
func TestAddedHeadingsDifferFromAllOthers(t *testing.T) {
	t.Parallel()
	type row struct {
		SKU  string `row:"SKU" key:"true"`
		Code string `row:"Colour" alias:"code,hint"`
	}
	kind := jobs.KindOf(worker.Define("named", func(_ context.Context, _ *worker.Job[row]) error { return nil }))
	r := resultOf(kind, []string{"SKU", "status", "Row ID", "rollcall_row_id"}, []string{"a", "b", "c", "d"})
	want := []string{
		"SKU", "status", "Row ID", "rollcall_row_id", "Row", "Rollcall status", "Rollcall code", "Column",
		"Message", "Rollcall hint", "Result", "Rollcall rollcall row id",
	}
	if diff := cmp.Diff(want, NewLayout(r.Task, kind).headings()); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	line := `{"SKU":"a","status":"b","Row ID":"c","rollcall_row_id":"d","row":2,"rollcall_status":"finish",` +
		`"rollcall_code":null,"column":null,"message":null,"rollcall_hint":null,"result":null,` +
		`"rollcall_rollcall_row_id":"` + resultTask + `.1"}` + "\n"
	if got := written(t, r, "jsonl"); got != line {
		t.Errorf("line %s\nwant %s", got, line)
	}
}

// TestFaultsAreMarked: each invalid cell is red and has the reason. The reason of an invalid row is
// at its status.
func TestFaultsAreMarked(t *testing.T) {
	t.Parallel()
	r := resultOf(jobs.Kind{}, []string{"A", "B"})
	fields := `[{"column":"A","code":"X","message":"A is odd","hint":"make it even"},` +
		`{"column":"A","code":"Y","message":"A is long"},{"column":"B","code":"REQUIRED","message":"B is empty"}]`
	r.Rows = func(yield func(*events.Event, error) bool) {
		broken := "broken"
		_ = yield(&events.Event{Row: 2, Status: events.Failed, Params: `{"A":"1"}`, Fields: &fields}, nil) &&
			yield(&events.Event{Row: 3, Status: events.Error, Params: `{"A":"2"}`, Message: &broken}, nil) &&
			yield(&events.Event{Row: 4, Status: events.Finish, Params: `{"A":"3"}`, Fields: &fields}, nil)
	}
	book, err := excelize.OpenReader(strings.NewReader(written(t, r, "xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	notes, err := book.GetComments("Result")
	got := map[string]string{}
	for _, n := range notes {
		got[n.Cell] = n.Text
	}
	want := map[string]string{
		"J1": howTo, "A2": "A is odd\nmake it even\nA is long", "B2": "B is empty", "D3": "broken",
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("notes %v (-want +got):\n%s", err, diff)
	}
	for cell, red := range map[string]bool{"A2": true, "B2": true, "C2": false, "D3": true, "A3": false, "A4": false} {
		id, err := book.GetCellStyle("Result", cell)
		style, err2 := book.GetStyle(id)
		if err := errors.Join(err, err2); err != nil || (style.Fill.Pattern == 1) != red {
			t.Errorf("%s: red %v, want %v (%v)", cell, !red, red, err)
		}
	}
}

// TestNotesAreBounded: a workbook has at most maxNotes notes on cells at fault. If there are more
// such cells, a further note says so.
func TestNotesAreBounded(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	b := newResultBook(NewLayout(resultOf(jobs.Kind{}, []string{"A"}).Task, jobs.Kind{}), &file)
	if err := b.open(); err != nil {
		t.Fatal(err)
	}
	for range maxNotes + 5 {
		b.sheet.Row++
		b.note(cellFault{0, "odd"})
	}
	if len(b.notes[0]) != maxNotes || b.count != maxNotes+5 {
		t.Errorf("%d notes of %d are kept", len(b.notes[0]), b.count)
	}
	b.notes[0] = b.notes[0][:3] // excelize takes seconds for all of them
	if err := b.around.End(); err != nil {
		t.Fatal(err)
	}
	parts, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text := uploads.PartOf(t, parts, "xl/comments1.xml")
	if !strings.Contains(text, `ref="F1"`) || !strings.Contains(text, "Only the first 10000 wrong cells") {
		t.Errorf("nothing tells that notes are missing: %.300s", text)
	}
}

// TestSheetIsFull: the rows continue in a second sheet, with headings.
func TestSheetIsFull(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := resultOf(jobs.Kind{}, []string{"A"}, []string{"last"}, []string{"first"})
	r.Task.FileSheet = strings.Repeat("é", 31)
	b := newResultBook(NewLayout(r.Task, r.Kind), &out)
	if err := b.open(); err != nil {
		t.Fatal(err)
	}
	b.sheet.Row = excelize.TotalRows - 1
	for e, err := range r.Rows {
		if err = errors.Join(err, b.add(e)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.close(), b.around.End()); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if diff := cmp.Diff([]string{strings.Repeat("é", 31), strings.Repeat("é", 27) + " (2)"}, book.GetSheetList()); diff != "" {
		t.Errorf("sheets (-want +got):\n%s", diff)
	}
	rows, err := book.GetRows(book.GetSheetName(1))
	if err != nil || len(rows) != 2 || rows[0][0] != "A" || rows[1][0] != "first" {
		t.Errorf("the second sheet has %q, %v", rows, err)
	}
	if z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil ||
		strings.Contains(uploads.PartOf(t, z, "xl/worksheets/sheet2.xml"), "tabSelected=") {
		t.Errorf("both sheets are chosen, so that typing changes both (%v)", err)
	}
}

// TestResultWithoutColumns: if neither the task nor the kind has columns, one column has the params.
func TestResultWithoutColumns(t *testing.T) {
	t.Parallel()
	r := resultOf(jobs.Kind{}, nil)
	r.Rows = func(yield func(*events.Event, error) bool) {
		yield(&events.Event{ID: events.NewID(7, 1), Row: 1, Status: events.Finish, Params: `{"a":[1]}`}, nil)
	}
	if got := written(t, r, "csv"); !strings.Contains(got, "\n\"{\"\"a\"\":[1]}\",1,finish,,,,,,"+resultTask+".1\n") {
		t.Errorf("csv %q", got)
	}
	if got := written(t, r, "jsonl"); !strings.HasPrefix(got, `{"Params":{"a":[1]},"row":1,"status":"finish"`) {
		t.Errorf("jsonl %q", got)
	}
}

// TestAheadGivesUp: prefetch stops reading when its caller stops. A panic of the rows reaches the
// caller.
func TestAheadGivesUp(t *testing.T) {
	t.Parallel()
	ended := false
	endless := func(yield func(int, error) bool) {
		defer func() { ended = true }()
		for i := 0; yield(i, nil); i++ {
		}
	}
	for i := range prefetch(endless) {
		if i == 3*batchRows {
			break
		}
	}
	if !ended {
		t.Error("the reader still runs")
	}
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("panic %v", p)
		}
	}()
	for range prefetch(func(func(int, error) bool) { panic("broken") }) {
	}
}

// FuzzGuard: a guarded text is no formula, and is read back as it was.
func FuzzGuard(f *testing.F) {
	for _, s := range uploads.OddTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g := table.Guard(s)
		if table.Unguard(g) != s {
			t.Fatalf("%q is guarded as %q and comes back as %q", s, g, table.Unguard(g))
		}
		if g != "" && strings.ContainsAny(g[:1], "=+@\t\r") || strings.HasPrefix(g, "-") && !table.Number(g) {
			t.Fatalf("%q is guarded as %q", s, g)
		}
	})
}

// TestResultsOfHandlersAreWritten: a column contains the results of handlers, texts without quotes and
// other values as JSON. If the upload has a column of this name, the added column has another name.
func TestResultsOfHandlersAreWritten(t *testing.T) {
	t.Parallel()
	r := resultOf(jobs.Kind{}, []string{"result"}, []string{"a"}, []string{"b"})
	rows := r.Rows
	kept := []string{`{"order":7,"lines":[1,2]}`, `"say \"=1\""`}
	r.Rows = func(yield func(*events.Event, error) bool) {
		for e, err := range rows {
			e.Result = &kept[e.ID.Seq()-1]
			if !yield(e, err) {
				return
			}
		}
	}
	csv := "result,Row,Status,Code,Column,Message,Hint,Rollcall result,Row id\n" +
		`a,2,finish,,,,,"{""order"":7,""lines"":[1,2]}",` + resultTask + ".1\n" +
		`b,3,finish,,,,,"say ""=1""",` + resultTask + ".2\n"
	if got := written(t, r, "csv"); strings.TrimPrefix(got, "\ufeff") != csv {
		t.Errorf("csv %s\nwant %s", got, csv)
	}
	if got := written(t, r, "jsonl"); !strings.Contains(got, `"rollcall_result":"{\"order\":7,\"lines\":[1,2]}"`) {
		t.Errorf("jsonl %s", got)
	}
}
