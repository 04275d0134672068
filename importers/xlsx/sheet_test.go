package xlsx_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestSheet_ZeroInADateFormat_IsEmptyWithAWarning: a reference to an empty cell has this value.
func TestSheet_ZeroInADateFormat_IsEmptyWithAWarning(t *testing.T) {
	t.Parallel()
	r := uploads.Read(uploads.NewWorkbook(uploads.Header+`<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="1"><f>C2</f><v>0</v></c></row>`).Zip(t), source.Options{})
	if r.Err != nil || !cmp.Equal([][]string{{"1"}}, r.Texts()) {
		t.Fatalf("read %v, %v", r.Texts(), r.Err)
	}
	uploads.RequireWarning(t, r.Table.Warnings, "Cell B2", "0 in a date format")
}

// TestMayExceed_ShortestRows_AreNotMissed: no row with a value is shorter in the XML than the estimate.
func TestMayExceed_ShortestRows_AreNotMissed(t *testing.T) {
	t.Parallel()
	const most = 1000
	for cell, rows := range map[string]int{
		`<c><v>1</v></c>`: most + 1, `<c><f/></c>`: most + 1, `<c t="e"/>`: 0, `<c t="b"/>`: 0, `<c/>`: 0, ``: 0,
	} {
		sheet := uploads.Header + `<row><c><v>1</v></c></row>` + strings.Repeat(`<row>`+cell+`</row>`, most+1)
		r := uploads.Read(uploads.NewWorkbook(sheet).Zip(t), source.Options{})
		if r.Err != nil || len(r.Rows) != rows+1 {
			t.Fatalf("%s: %d rows, %v, want %d", cell, len(r.Rows), r.Err, rows+1)
		}
		may, err := r.Table.MayExceed(t.Context(), most)
		if err != nil || rows > 0 && !may {
			t.Errorf("%s: MayExceed = %v, %v", cell, may, err)
		}
	}
}

// TestSheet_NumberFormat_IsFollowedOrNamed: users see the leading zeros of a postal code.
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
			p := uploads.NewWorkbook(uploads.Header + `<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="5"><v>` + tt.value + `</v></c></row>`)
			p["xl/styles.xml"] = strings.Replace(p["xl/styles.xml"], `0.00&quot; days&quot;`,
				strings.ReplaceAll(tt.code, `"`, "&quot;"), 1)
			r := uploads.Read(p.Zip(t), source.Options{})
			if r.Err != nil || !cmp.Equal([][]string{{"1", tt.want}}, r.Texts()) {
				t.Fatalf("read %v, %v, want %s", r.Texts(), r.Err, tt.want)
			}
			uploads.RequireWarning(t, r.Table.Warnings, "Column B shows its numbers in the format", tt.said)
		})
	}
}

// tabled returns a workbook with a table that has a row of totals.
func tabled(rows, ref string) uploads.Parts {
	p := uploads.NewWorkbook(rows)
	p["xl/worksheets/_rels/sheet1.xml.rels"] = uploads.Rels("table", "../tables/table1.xml")
	p["xl/tables/table1.xml"] = `<table xmlns="` + uploads.NSMain + `" id="1" displayName="Sales" ref="` + ref + `" totalsRowCount="1"/>`
	return p
}

func TestSheet_TotalsRowOfATable_IsLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	total := `<row r="4"><c r="A4" t="str"><v>Total</v></c><c r="B4"><f>SUM(B2:B3)</f><v>3</v></c>`
	r := uploads.Read(tabled(uploads.TwoRows+total+`</row>`, "A1:B4").Zip(t), source.Options{})
	if r.Err != nil || len(r.Rows) != 2 {
		t.Fatalf("read %v, %v, want two rows", r.Texts(), r.Err)
	}
	uploads.RequireWarning(t, r.Table.Warnings, "Row 4 holds the totals", `"Sales": it was left out`)

	beside := uploads.Read(tabled(uploads.TwoRows+total+`<c r="D4"><v>1</v></c></row>`, "A1:B4").Zip(t), source.Options{})
	if beside.Err != nil || len(beside.Rows) != 3 {
		t.Fatalf("read %v, %v, want three rows", beside.Texts(), beside.Err)
	}
	uploads.RequireWarning(t, beside.Table.Warnings, "Row 4 holds the totals", "it was imported")
}

// TestSheet_TotalsOfTwoTablesInOneRow_AreLeftOut: tables may stand side by side.
func TestSheet_TotalsOfTwoTablesInOneRow_AreLeftOut(t *testing.T) {
	t.Parallel()
	total := `<row r="4"><c r="A4" t="str"><v>Total</v></c><c r="B4"><v>3</v></c><c r="D4" t="str"><v>Total</v></c><c r="E4"><v>7</v></c></row>`
	p := tabled(uploads.TwoRows+total, "A1:B4")
	p["xl/worksheets/_rels/sheet1.xml.rels"] = uploads.Rels("table", "../tables/table1.xml", "table", "../tables/table2.xml")
	p["xl/tables/table2.xml"] = `<table xmlns="` + uploads.NSMain + `" id="2" displayName="Costs" ref="D1:E4" totalsRowCount="1"/>`
	r := uploads.Read(p.Zip(t), source.Options{})
	if r.Err != nil || len(r.Rows) != 2 {
		t.Fatalf("read %v, %v, want two rows", r.Texts(), r.Err)
	}
	uploads.RequireWarning(t, r.Table.Warnings, "Row 4 holds the totals", `"Sales, Costs": it was left out`)
}

// TestWorkbook_BackslashesInNames_AreRead: some programs on Windows write them.
func TestWorkbook_BackslashesInNames_AreRead(t *testing.T) {
	t.Parallel()
	p := uploads.Parts{}
	for name, text := range uploads.NewWorkbook(uploads.TwoRows) {
		p[strings.ReplaceAll(name, "/", "\\")] = text
	}
	if r := uploads.Read(p.Zip(t), source.Options{}); r.Err != nil || len(r.Rows) != 2 {
		t.Errorf("read %d rows, %v, want 2", len(r.Rows), r.Err)
	}
	bad := uploads.NewWorkbook(uploads.TwoRows).With("..\\x.xml", "<a/>")
	if p := uploads.Read(bad.Zip(t), source.Options{}).Problem(t); p.Code != tabular.CodeUnsafeFile {
		t.Errorf("a name that leads out: %+v", p)
	}
}

// TestWorkbook_TooDense_IsRefusedBeforeTheFirstRow also reads a workbook of equal rows, compressed
// as by Excel.
func TestWorkbook_TooDense_IsRefusedBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	blanks := func(n int) string { return uploads.TwoRows + strings.Repeat(" ", n) }
	bomb := uploads.NewWorkbook(blanks(8 << 20)).Zip(t)
	_, err := source.Open(bytes.NewReader(bomb), int64(len(bomb)), source.Options{})
	if p := (uploads.Reading{Err: err}).Problem(t); p.Code != tabular.CodeZipBomb {
		t.Errorf("got %+v", p)
	}
	var same strings.Builder
	rows := testenv.Size(25_000, 100_000)
	for i := range rows {
		fmt.Fprintf(&same, `<row r="%d" spans="1:2" s="1" customFormat="1"><c r="A%d" s="0"><v>1</v></c>%s</row>`,
			i+2, i+2, strings.Repeat(`<c s="0"/>`, 30))
	}
	r := uploads.Read(uploads.NewWorkbook(uploads.Header+same.String()).Zip(t), source.Options{})
	if r.Err != nil || len(r.Rows) != rows {
		t.Errorf("read %d rows, %v", len(r.Rows), r.Err)
	}
}
