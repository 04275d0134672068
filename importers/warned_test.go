package importers

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/worker"
)

// TestOpen_RowsAboveHeadings_AreNamed: the headings are found, and each row above them
// that is not imported is named.
func TestOpen_RowsAboveHeadings_AreNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ data, header, first, above string }{
		"years are headings":      {"district,2018\nNorth,5\n", "district|2018", "North|5", ""},
		"a word and a year":       {"Email,2024\na@b.de,1\nc@d.de,2\n", "Email|2024", "a@b.de|1", ""},
		"a title above years":     {"Votes\ndistrict,2018\nNorth,5\n", "district|2018", "North|5", `row 1 ("Votes")`},
		"titles":                  {"Prices\n\nSpring\nA,B\n1,2\n3,4\n", "A|B", "1|2", `row 1 ("Prices"), row 3 ("Spring")`},
		"a comment":               {"# made by us, for you\nA,B\n1,2\n", "A|B", "1|2", `row 1 ("# made by us")`},
		"numbers":                 {"1,2\n2024,7\nA,B\n1,2\n", "A|B", "1|2", `row 1 ("1"), row 2 ("2024")`},
		"many":                    {strings.Repeat("1,2\n", 8) + "A,B\n1,2\n", "A|B", "1|2", "and 3 more rows"},
		"a list with a comma":     {"Word\nx\ny\nz,w\n", "Word", "x", ""},
		"a list, a comma inside":  {"Word\nx\nz,w\ny\n", "Word", "x", ""},
		"a list of commas at end": {"Word\nx\nz,w\nv,w\ny\nx\n", "Word", "x", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readAll([]byte(tt.data), OpenOptions{})
			if r.err != nil {
				t.Fatal(r.err)
			}
			got := []string{strings.Join(r.src.Header, "|"), strings.Join(r.texts()[0], "|")}
			if diff := cmp.Diff([]string{tt.header, tt.first}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			requireWarning(t, r.src.Warnings, "rows above", tt.above)
			again := readAll([]byte(tt.data), OpenOptions{HeaderRow: r.src.HeaderRow})
			if !slices.Equal(r.src.Warnings, again.src.Warnings) {
				t.Errorf("with the row named: %q, want %q", again.src.Warnings, r.src.Warnings)
			}
		})
	}
}

// requireWarning fails the test unless a warning holds both texts; with an empty said,
// unless no warning holds about.
func requireWarning(t *testing.T, warnings []string, about, said string) {
	t.Helper()
	found := slices.ContainsFunc(warnings, func(w string) bool {
		return strings.Contains(w, about) && strings.Contains(w, said)
	})
	if found == (said == "") {
		t.Errorf("warnings %q, want %q about %q", warnings, said, about)
	}
}

// TestOpen_EveryRowIsThere_InLists: what is read ahead to find the headings is given out.
func TestOpen_EveryRowIsThere_InLists(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]int{
		"Word\nx\ny\nz,w\n": 3, "T\nU\nV\nA,B\n1,2\n": 1, "T\nU\nA,B\n1,2\n3,4\n5,6\n7,8\n": 4,
		"Word\n" + strings.Repeat("x\n", 17) + "z,w\n" + strings.Repeat("y\n", 50): 68,
	} {
		if r := readAll([]byte(data), OpenOptions{}); r.err != nil || len(r.rows) != want {
			t.Errorf("%q: %d rows, %v, want %d", data, len(r.rows), r.err, want)
		}
	}
	p := readAll([]byte("T\nU\nA,B\n1,2\n3,\"4\n"), OpenOptions{}).problem(t)
	if p.Code != CodeUnclosedQuote {
		t.Errorf("a fault that was read ahead: %+v", p)
	}
}

// TestOpen_ColumnsWithoutOwnHeading_AreLeftOutAndNamed: a column that cannot feed a
// field costs no file.
func TestOpen_ColumnsWithoutOwnHeading_AreLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ data, header, rows, about, said string }{
		"an index":        {",A,B\n0,x,y\n1,,z\n", "A|B", "x|y |z", "no heading", ": A."},
		"two gaps":        {"A,,B,,C\n1,2,3,4,5\n1,2\n", "A|B|C", "1|3|5 1", "no heading", ": B, D."},
		"a heading twice": {"A,B,a\n1,2,3\n1,2\n", "A|B", "1|2 1|2", "same heading", `: C ("a").`},
		"an error":        {"A,#N/A,B\n1,2,3\n", "A|B", "1|3", "cannot be read", "B (The cell shows the error #N/A"},
		"an index alone":  {",A\n0,x\n1,\n", "A", "x ", "no heading", ": A."},
		"too many cells":  {",A\n0,x,z\n", "A", "x|z", "no heading", ": A."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readAll([]byte(tt.data), OpenOptions{})
			if r.err != nil {
				t.Fatal(r.err)
			}
			var rows []string
			for i, cells := range r.texts() {
				rows = append(rows, strings.Join(cells, "|"))
				if r.rows[i].Width > 2 && name != "two gaps" {
					t.Errorf("width %d of %q", r.rows[i].Width, cells)
				}
			}
			got := []string{strings.Join(r.src.Header, "|"), strings.Join(rows, " ")}
			if diff := cmp.Diff([]string{tt.header, tt.rows}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			requireWarning(t, r.src.Warnings, tt.about, tt.said)
		})
	}
}

type voter struct {
	District string `row:"District"`
	Votes    int    `row:"Votes"`
	Day      string `row:"Day"`
}

var voterKind = worker.Define("voters.import",
	func(context.Context, *worker.Job[voter]) error { return nil }).Kind()

func inspect(data string, opt Options) (Inspection, error) {
	return Inspect(bytes.NewReader([]byte(data)), int64(len(data)), voterKind, opt)
}

// TestInspect_ColumnThatFeedsNoField_IsNamed: unless the person has left it out.
func TestInspect_ColumnThatFeedsNoField_IsNamed(t *testing.T) {
	t.Parallel()
	data := "District,Vote,Foo\nN,1,2\n"
	in, err := inspect(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	requireWarning(t, in.Warnings, "not used", `"Vote" (perhaps Votes), "Foo"`)
	in, err = inspect(data, Options{Mapping: map[string]string{"Vote": "Votes", "Foo": ""}})
	if err != nil || len(in.Warnings) > 0 {
		t.Errorf("with a mapping: %q, %v", in.Warnings, err)
	}
}

func TestInspect_NoColumnFeedsAField_IsRefused(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"Foo,Bar\n1,2\n", "a@b.de\nc@d.de\n", "Foo,,Bar,Foo\n1,2,3,4\n"} {
		_, err := inspect(data, Options{})
		p := result{err: err}.problem(t)
		if p.Code != CodeNoKnownColumn || !strings.Contains(p.Detail, "District, Votes, Day") {
			t.Errorf("%q: %+v", data, p)
		}
	}
	if in, err := inspect("Foo,Bar\nDistrict,Votes\nN,2\n", Options{}); err != nil || in.HeaderRow != 2 {
		t.Errorf("headings below: %+v, %v", in, err)
	}
}

// TestInspect_HeadingTwice_IsRefusedOnlyIfItFeedsAField: every place is named.
func TestInspect_HeadingTwice_IsRefusedOnlyIfItFeedsAField(t *testing.T) {
	t.Parallel()
	_, err := inspect("District,Votes,, v\u00a0O\u200btes,DISTRICT\n1,2,3,4,5\n", Options{})
	p := result{err: err}.problem(t)
	var places []string
	for _, f := range p.Errors {
		places = append(places, fmt.Sprint(f.Column, f.Row, f.Code))
	}
	want := []string{"D1DUPLICATE_HEADER", "E1DUPLICATE_HEADER"}
	if diff := cmp.Diff(want, places); diff != "" || !strings.Contains(p.Detail, `Columns B ("Votes") and D`) {
		t.Errorf("%+v, (-want +got):\n%s", p, diff)
	}
	in, err := inspect("District,Total,Total\n1,2,3\n", Options{})
	if err != nil || len(in.Columns) != 2 {
		t.Fatalf("%+v, %v", in, err)
	}
	requireWarning(t, in.Warnings, "same heading", `C ("Total")`)
	_, err = inspect("District,Total,Total\n1,2,3\n", Options{Mapping: map[string]string{"Total": "Votes"}})
	if p := (result{err: err}).problem(t); p.Code != CodeDuplicateHeader {
		t.Errorf("mapped: %+v", p)
	}
}

// TestSheet_ZeroInADateFormat_IsEmptyWithAWarning: it is what a reference to an empty
// cell gives.
func TestSheet_ZeroInADateFormat_IsEmptyWithAWarning(t *testing.T) {
	t.Parallel()
	r := readAll(newParts(header+`<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="1"><f>C2</f><v>0</v></c></row>`).zip(t), OpenOptions{})
	if r.err != nil || !cmp.Equal([][]string{{"1"}}, r.texts()) {
		t.Fatalf("read %v, %v", r.texts(), r.err)
	}
	requireWarning(t, r.src.Warnings, "Cell B2", "0 in a date format")
}

// TestSheet_NumberFormat_IsFollowedOrNamed: zeros in front are what a person sees of a
// postal code.
func TestSheet_NumberFormat_IsFollowedOrNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ code, value, want, said string }{
		"a postal code":      {"00000", "501", "00501", ""},
		"of a locale":        {"[$-407]00000;@", "501", "00501", ""},
		"long enough":        {"00000", "12345", "12345", ""},
		"a fraction":         {"00000", "12.5", "12.5", ""},
		"a negative one":     {"00000", "-5", "-5", ""},
		"two decimals":       {"0.00", "12", "12", ""},
		"thousands":          {"#,##0.00 [$€-407]", "1234.5", "1234.5", ""},
		"a unit":             {`0" kg"`, "12", "12", ""},
		"a percentage":       {"00%", "0.5", "0.5", ""},
		"a security number":  {"000-00-0000", "123456789", "123456789", "000-00-0000"},
		"a telephone":        {"###-####", "5551234", "5551234", "###-####"},
		"a word in front":    {`"A-"0000`, "12", "12", `"A-"0000`},
		"an escaped hyphen":  {`00000\-0000`, "123456789", "123456789", `00000\-0000`},
		"signs of a balance": {`_-* #,##0.00\ "y"_-`, "12", "12", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newParts(header + `<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="5"><v>` + tt.value + `</v></c></row>`)
			p["xl/styles.xml"] = strings.Replace(p["xl/styles.xml"], `0.00&quot; days&quot;`,
				strings.ReplaceAll(tt.code, `"`, "&quot;"), 1)
			r := readAll(p.zip(t), OpenOptions{})
			if r.err != nil || !cmp.Equal([][]string{{"1", tt.want}}, r.texts()) {
				t.Fatalf("read %v, %v, want %s", r.texts(), r.err, tt.want)
			}
			requireWarning(t, r.src.Warnings, "Column B shows its numbers in the format", tt.said)
		})
	}
}

// tabled is a workbook with a table that has a row of totals.
func tabled(rows, ref string) parts {
	p := newParts(rows)
	p["xl/worksheets/_rels/sheet1.xml.rels"] = rels("table", "../tables/table1.xml")
	p["xl/tables/table1.xml"] = `<table xmlns="` + nsMain + `" id="1" displayName="Sales" ref="` + ref + `" totalsRowCount="1"/>`
	return p
}

func TestSheet_TotalsRowOfATable_IsLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	total := `<row r="4"><c r="A4" t="str"><v>Total</v></c><c r="B4"><f>SUM(B2:B3)</f><v>3</v></c>`
	r := readAll(tabled(twoRows+total+`</row>`, "A1:B4").zip(t), OpenOptions{})
	if r.err != nil || len(r.rows) != 2 {
		t.Fatalf("read %v, %v, want two rows", r.texts(), r.err)
	}
	requireWarning(t, r.src.Warnings, "Row 4 holds the totals", `"Sales": it was left out`)

	beside := readAll(tabled(twoRows+total+`<c r="D4"><v>1</v></c></row>`, "A1:B4").zip(t), OpenOptions{})
	if beside.err != nil || len(beside.rows) != 3 {
		t.Fatalf("read %v, %v, want three rows", beside.texts(), beside.err)
	}
	requireWarning(t, beside.src.Warnings, "Row 4 holds the totals", "it was imported")
}

// TestRow_ValueRightOfTheLastColumn_CostsTheRow: and not the file, of which rows have
// run by then.
func TestRow_ValueRightOfTheLastColumn_CostsTheRow(t *testing.T) {
	t.Parallel()
	sheet := newParts(twoRows + `<row r="4"><c r="A4"><v>1</v></c><c r="XFD4"><v>1</v></c></row><row r="5"><c r="A5"><v>7</v></c></row>`)
	for _, data := range [][]byte{sheet.zip(t), []byte("A,B\n1,2\n3,4\n1" + strings.Repeat(",", 16383) + "1\n7,8\n")} {
		r := readAll(data, OpenOptions{})
		if r.err != nil || len(r.rows) != 4 || r.rows[2].Beyond != 16384 || r.rows[3].Beyond != 0 {
			t.Fatalf("read %v, %v", r.rows, r.err)
		}
		faults := newRowMaker(voterKind, columnsOf(r.src.Header, voterKind.Schema.Match(r.src.Header, nil))).draft(r.rows[2]).Failure
		if faults == nil || faults.Fields[len(faults.Fields)-1].Code != CodeTooManyCells {
			t.Errorf("row 4 fails with %+v, want %s", faults, CodeTooManyCells)
		}
	}
}

// TestStream_ResultAsANewFile_LosesItsApostrophes: a result in text defuses formulas,
// and an import takes that back; in other files an apostrophe is kept.
func TestStream_ResultAsANewFile_LosesItsApostrophes(t *testing.T) {
	t.Parallel()
	own := strings.Join(ownNames[:], ",")
	drafts := func(data string) (first string, warnings []string) {
		p, err := Look(t.Context(), bytes.NewReader([]byte(data)), int64(len(data)), voterKind, Options{}, false)
		if err != nil {
			t.Fatal(err)
		}
		return string(p.First[0].Cells), p.Warnings
	}
	cells, warnings := drafts("District," + own + "\n'+49151,2,failed,,,,,,x\n")
	if !strings.HasPrefix(cells, `{"District":"+49151"`) {
		t.Errorf("a result: %s", cells)
	}
	requireWarning(t, warnings, "result of Rollcall", "taken off")
	cells, warnings = drafts("District,Votes\n'+49151,2\n")
	if !strings.HasPrefix(cells, `{"District":"'+49151"`) {
		t.Errorf("another file: %s", cells)
	}
	requireWarning(t, warnings, "Row 2 has a cell with an apostrophe", "kept")
	if _, warnings = drafts("District,Votes\n'til,2\n"); len(warnings) > 0 {
		t.Errorf("an apostrophe before a letter: %q", warnings)
	}
}

// TestWorkbook_BackslashesInNames_AreRead: as some programs on Windows write them.
func TestWorkbook_BackslashesInNames_AreRead(t *testing.T) {
	t.Parallel()
	p := parts{}
	for name, text := range newParts(twoRows) {
		p[strings.ReplaceAll(name, "/", "\\")] = text
	}
	if r := readAll(p.zip(t), OpenOptions{}); r.err != nil || len(r.rows) != 2 {
		t.Errorf("read %d rows, %v, want 2", len(r.rows), r.err)
	}
	bad := newParts(twoRows).with("..\\x.xml", "<a/>")
	if p := readAll(bad.zip(t), OpenOptions{}).problem(t); p.Code != CodeUnsafeFile {
		t.Errorf("a name that leads out: %+v", p)
	}
}

// TestWorkbook_TooDense_IsRefusedBeforeTheFirstRow: and one of equal rows, as Excel
// packs them, is read.
func TestWorkbook_TooDense_IsRefusedBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	blanks := func(n int) string { return twoRows + strings.Repeat(" ", n) }
	bomb := newParts(blanks(8 << 20)).zip(t)
	_, err := Open(bytes.NewReader(bomb), int64(len(bomb)), OpenOptions{})
	if p := (result{err: err}).problem(t); p.Code != CodeZipBomb {
		t.Errorf("got %+v", p)
	}
	var same strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&same, `<row r="%d" spans="1:2" s="1" customFormat="1"><c r="A%d" s="0"><v>1</v></c>%s</row>`,
			i+2, i+2, strings.Repeat(`<c s="0"/>`, 30))
	}
	r := readAll(newParts(header+same.String()).zip(t), OpenOptions{})
	if r.err != nil || len(r.rows) != 100_000 {
		t.Errorf("read %d rows, %v", len(r.rows), r.err)
	}
}
