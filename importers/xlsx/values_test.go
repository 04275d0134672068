package xlsx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestCells lists the texts of cells of a workbook.
func TestCells(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 32767)
	tests := []struct{ name, xml, want string }{
		{"a shared text", `<c r="A2" t="s"><v>1</v></c>`, "shared & <b>"},
		{"a shared text of runs without its reading", `<c r="A2" t="s"><v>2</v></c>`, "東京 Tower"},
		{"blanks around a text stay", `<c r="A2" t="s"><v>3</v></c>`, "  x  "},
		{"escapes are decoded", `<c r="A2" t="s"><v>4</v></c>`, "a\rb_x000D_ _xZZZZ_"},
		{"a shared text that does not exist", `<c r="A2" t="s"><v>99</v></c>`, "!DAMAGED_CELL"},
		{"a negative shared text", `<c r="A2" t="s"><v>-1</v></c>`, "!DAMAGED_CELL"},
		{"an inline text", `<c r="A2" t="inlineStr"><is><t>in</t></is></c>`, "in"},
		{
			"an inline text of runs",
			`<c r="A2" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t>b</t></r>` +
				`<rPh sb="0" eb="1"><t>no</t></rPh></is></c>`,
			"ab",
		},
		{"text in CDATA", `<c r="A2" t="str"><v><![CDATA[a & <b>]]></v></c>`, "a & <b>"},
		{"character numbers", `<c r="A2" t="str"><v>&#65;&#x1F600;</v></c>`, "A😀"},
		{"a surrogate pair in escapes", `<c r="A2" t="str"><v>_xD83D__xDE00_</v></c>`, "😀"},
		{"a formula with a text", `<c r="A2" t="str"><f>A1</f><v>res</v></c>`, "res"},
		{"a formula with an empty text", `<c r="A2" t="str"><f>A1</f><v></v></c>`, ""},
		{"a formula with a number", `<c r="A2"><f>1+1</f><v>2</v></c>`, "2"},
		{"a formula without a result", `<c r="A2"><f>1+1</f></c>`, "!FORMULA_NOT_CALCULATED"},
		{
			"a formula with an empty result", `<c r="A2"><f>1+1</f><v/></c>`,
			"!FORMULA_NOT_CALCULATED",
		},
		{"an error", `<c r="A2" t="e"><v>#N/A</v></c>`, "!FORMULA_ERROR"},
		{"a NUL", `<c r="A2" t="str"><v>a_x0000_b</v></c>`, "!INVALID_CHARACTER"},
		{
			"a control character", `<c r="A2" t="str"><v>a` + "\x01" + `b</v></c>`,
			"!INVALID_CHARACTER",
		},
		{
			"tab and line end are no control characters",
			`<c r="A2" t="str"><v>a&#9;b&#10;c</v></c>`, "a\tb\nc",
		},
		{
			"bytes that are no UTF-8", `<c r="A2" t="str"><v>a` + "\xff" + `b</v></c>`,
			"!INVALID_ENCODING",
		},
		{"the longest text", `<c r="A2" t="str"><v>` + long + `</v></c>`, long},
		{"a text too long", `<c r="A2" t="str"><v>` + long + `x</v></c>`, "!TOO_LONG"},
		{"true", `<c r="A2" t="b"><v>1</v></c>`, "TRUE"},
		{"false", `<c r="A2" t="b"><v>0</v></c>`, "FALSE"},
		{"neither", `<c r="A2" t="b"><v>2</v></c>`, "!DAMAGED_CELL"},
		{"a number that is none", `<c r="A2"><v>12,5</v></c>`, "!DAMAGED_CELL"},
		{"not a number", `<c r="A2"><v>NaN</v></c>`, "!DAMAGED_CELL"},
		{"too large a number", `<c r="A2"><v>1e999</v></c>`, "!DAMAGED_CELL"},
		{"an unknown type", `<c r="A2" t="zz"><v>1</v></c>`, "!DAMAGED_CELL"},
		{"a style that is empty", `<c r="A2" s=""><v>45413</v></c>`, "45413"},
		{"a style that does not exist", `<c r="A2" s="77"><v>45413</v></c>`, "!DAMAGED_CELL"},
		{"a day", `<c r="A2" s="1"><v>45413</v></c>`, "2024-05-01"},
		{"a day in a format of its own", `<c r="A2" s="4"><v>45413</v></c>`, "2024-05-01"},
		{
			"a day and a time", `<c r="A2" s="1"><v>45413.520833333336</v></c>`,
			"2024-05-01T12:30:00",
		},
		{
			"a second before midnight", `<c r="A2" s="1"><v>45412.999988425923</v></c>`,
			"2024-04-30T23:59:59",
		},
		{
			"the last instant is the next day", `<c r="A2" s="1"><v>45412.999999999</v></c>`,
			"2024-05-01",
		},
		{"a time", `<c r="A2" s="2"><v>0.5</v></c>`, "12:00:00"},
		{"elapsed time", `<c r="A2" s="3"><v>1.5</v></c>`, "36:00:00"},
		{"a unit is no date", `<c r="A2" s="5"><v>12.5</v></c>`, "12.5"},
		{"the first day", `<c r="A2" s="1"><v>1</v></c>`, "1900-01-01"},
		{"the day before the one that never was", `<c r="A2" s="1"><v>59</v></c>`, "1900-02-28"},
		{"the day that never was", `<c r="A2" s="1"><v>60</v></c>`, "!INVALID_DATE"},
		{"the day after it", `<c r="A2" s="1"><v>61</v></c>`, "1900-03-01"},
		{"the last day", `<c r="A2" s="1"><v>2958465</v></c>`, "9999-12-31"},
		{"a day too late", `<c r="A2" s="1"><v>2958466</v></c>`, "!INVALID_DATE"},
		{"a day too early", `<c r="A2" s="1"><v>-1</v></c>`, "!INVALID_DATE"},
		{"no day", `<c r="A2" s="1"><v>0</v></c>`, ""},
		{"no day, as a decimal", `<c r="A2" s="1"><v>0.0</v></c>`, ""},
		{"a time without a day", `<c r="A2" s="1"><v>0.5</v></c>`, "!INVALID_DATE"},
		{"a text and a value beside it", `<c r="A2" t="inlineStr"><is><t>in</t></is><v>9</v></c>`, "in"},
		{"a value and a text beside it", `<c r="A2" t="inlineStr"><v>9</v><is><t>in</t></is></c>`, "in"},
		{"a date as text", `<c r="A2" t="d"><v>2024-05-01T00:00:00.000</v></c>`, "2024-05-01"},
		{"without a reference it is the next", `<c><v>7</v></c>`, "7"},
	}
	texts := []string{
		"zero", "shared &amp; &lt;b&gt;",
		`東京</t><phoneticPr fontId="1"/><rPh sb="0" eb="2"><t>とうきょう</t></rPh><t> Tower`,
		"  x  ", "a_x000D_b_x005F_x000D_ _xZZZZ_",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rows := uploads.Header + `<row r="2">` + tt.xml + `<c r="B2"><v>1</v></c></row>`
			r := uploads.Read(uploads.NewWorkbook(rows, texts...).Zip(t), source.Options{})
			if diff := cmp.Diff([][]string{{tt.want, "1"}}, r.Texts()); r.Err != nil || diff != "" {
				t.Errorf("err %v, (-want +got):\n%s", r.Err, diff)
			}
			c := r.Rows[0].Cells[0]
			if c.Code != "" && (c.Detail == "" || strings.Contains(c.Text, "\x00")) {
				t.Errorf("cell %+v has no words, or text that cannot be stored", c)
			}
		})
	}
}

// TestCell_ValueIsBlank: a cell whose value is blank is an empty cell of any type, unless the type
// or a formula requires a value.
func TestCell_ValueIsBlank(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{ // type: what a blank value becomes
		`t="s"`: "", `t="n"`: "", ``: "", `t=""`: "", `t="b"`: "", `t="d"`: "", `t="zz"`: "",
		`s="1"`: "", `s="77"`: "", `t="s" s="1"`: "", `t="e"`: "!FORMULA_ERROR",
	}
	values := []string{`<v></v>`, `<v/>`, `<v> </v>`, "<v>\r\n\t</v>", `<v xml:space="preserve"> </v>`}
	for kind, want := range kinds {
		for _, value := range values {
			t.Run(kind+value, func(t *testing.T) { requireCell(t, kind, value, want) })
		}
		t.Run(kind, func(t *testing.T) { requireCell(t, kind, "", "") })
	}
	for _, text := range []string{`<v/>`, `<v></v>`, `<is/>`, `<is><t/></is>`} {
		requireCell(t, `t="inlineStr"`, text, "")
	}
	requireCell(t, `t="str"`, `<v/>`, "")
	requireCell(t, `t="str"`, `<v> </v>`, " ")
	for _, kind := range []string{``, `t="s"`, `t="b"`, `t="d"`} {
		requireCell(t, kind, `<f>A1</f><v> </v>`, "!FORMULA_NOT_CALCULATED")
	}
}

// requireCell reads a row with the number 1 and a cell with these attributes and content. It fails
// the test unless the cell equals want.
func requireCell(t *testing.T, attrs, content, want string) {
	t.Helper()
	rows := uploads.Header + fmt.Sprintf(`<row r="2"><c r="A2" %s>%s</c><c r="B2"><v>1</v></c></row>`, attrs, content)
	r := uploads.Read(uploads.NewWorkbook(rows, "zero").Zip(t), source.Options{})
	if diff := cmp.Diff([][]string{{want, "1"}}, r.Texts()); r.Err != nil || diff != "" {
		t.Errorf("%s %s: err %v, (-want +got):\n%s", attrs, content, r.Err, diff)
	}
}

// TestBlankValues_RightOfTheLastColumn_AreNoCells: some programs write every empty cell with a
// blank value, also right of the last allowed column.
func TestBlankValues_RightOfTheLastColumn_AreNoCells(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{
		`<c r="D2" t="s"><v></v></c>`, `<c r="D2"><v> </v></c>`, `<c r="D2" t="str"><v/></c>`,
		`<c r="D2" t="inlineStr"><is><t></t></is></c>`,
	} {
		file := uploads.NewWorkbook(uploads.Header + `<row r="2"><c r="A2"><v>1</v></c>` + cell + `</row>`).Zip(t)
		r := uploads.Read(file, source.Options{Limits: tabular.Limits{Columns: 3}})
		if r.Err != nil || !cmp.Equal([][]string{{"1"}}, r.Texts()) {
			t.Errorf("%s: read %v, %v, want one cell", cell, r.Texts(), r.Err)
		}
	}
}

func TestSystemOf1904(t *testing.T) {
	t.Parallel()
	p := uploads.NewWorkbook(uploads.Header + `<row r="2"><c r="A2" s="1"><v>0</v></c>` +
		`<c r="B2" s="1"><v>43951.5</v></c></row>`)
	p["xl/workbook.xml"] = strings.Replace(p["xl/workbook.xml"],
		"<sheets>", `<workbookPr date1904="1"/><sheets>`, 1)
	want := [][]string{{"1904-01-01", "2024-05-01T12:00:00"}}
	if r := uploads.Read(p.Zip(t), source.Options{}); r.Err != nil || !cmp.Equal(want, r.Texts()) {
		t.Errorf("read %v, %v, want %v", r.Texts(), r.Err, want)
	}
}

// TestShapes reads the same rows as other programs write them.
func TestShapes(t *testing.T) {
	t.Parallel()
	rows := `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>` +
		`<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>2</v></c></row>`
	plain := uploads.NewWorkbook(rows, "A", "B", "v")
	prefixed := func(s string) string {
		s = strings.NewReplacer("</", "</x:", "<", "<x:", "<x:/x:", "</x:").Replace(s)
		s = strings.ReplaceAll(s, "<x:/", "</")
		return strings.Replace(s, " xmlns=", " xmlns:x=", 1)
	}
	moved := plain.Without("xl/sharedStrings.xml")
	moved["odd/place/t.xml"] = plain["xl/sharedStrings.xml"]
	moved["xl/_rels/workbook.xml.rels"] = uploads.Rels("worksheet", "/xl/worksheets/sheet1.xml",
		"sharedStrings", "../odd/place/t.xml")
	strict := plain.With("xl/_rels/workbook.xml.rels", strings.ReplaceAll(
		plain["xl/_rels/workbook.xml.rels"], uploads.NSRel,
		"http://purl.oclc.org/ooxml/officeDocument/relationships"))
	spaced := strings.ReplaceAll(plain[uploads.SheetPart], "><", ">\r\n  <")
	commented := strings.ReplaceAll(plain[uploads.SheetPart], "<row", "<!-- > <row> --><row")
	wide := "\xFF\xFE" + string(uploads.UTF16(plain[uploads.SheetPart]))
	unnumbered := plain.With(uploads.SheetPart, uploads.Worksheet(strings.NewReplacer(` r="1"`, "", ` r="2"`, "",
		` r="A1"`, "", ` r="B1"`, "", ` r="A2"`, "", ` r="B2"`, "").Replace(rows)))
	for name, p := range map[string]uploads.Parts{
		"as Excel does":                 plain,
		"with prefixed names":           plain.With(uploads.SheetPart, prefixed(plain[uploads.SheetPart])),
		"with shared strings elsewhere": moved,
		"with strict relationships":     strict,
		"without numbers":               unnumbered,
		"with blanks between elements":  plain.With(uploads.SheetPart, spaced),
		"with comments":                 plain.With(uploads.SheetPart, commented),
		"in UTF-16":                     plain.With(uploads.SheetPart, wide),
		"with a byte order mark":        plain.With(uploads.SheetPart, "\xEF\xBB\xBF"+plain[uploads.SheetPart]),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read(p.Zip(t), source.Options{})
			if want := [][]string{{"v", "2"}}; r.Err != nil || !cmp.Equal(want, r.Texts()) {
				t.Errorf("read %v, %v, want %v", r.Texts(), r.Err, want)
			}
		})
	}
}

func TestGapsAndBlankRows(t *testing.T) {
	t.Parallel()
	styled := ""
	for col := range 300 { // formatted but empty, far beyond the last column allowed
		styled += fmt.Sprintf(`<c r="%s9" s="1"/>`, table.ColumnName(col))
	}
	rows := uploads.Header + `<row r="3"/><row r="5"><c r="B5"><v>5</v></c><c r="C5" s="1"/></row>` +
		`<row r="6"><c r="A6" t="str"><v>&#160; </v></c></row>` +
		`<row r="8"><c r="D8"><v>8</v></c></row><row r="9">` + styled + `</row><row r="1048576"/>`
	r := uploads.Read(uploads.NewWorkbook(rows).Zip(t), source.Options{})
	want := [][]string{{"", "5"}, {"", "", "", "8"}}
	if r.Err != nil || !cmp.Equal(want, r.Texts()) {
		t.Fatalf("read %v, %v, want %v", r.Texts(), r.Err, want)
	}
	if r.Rows[0].Number != 5 || r.Rows[0].Width != 3 || r.Rows[1].Number != 8 {
		t.Errorf("rows %+v, want numbers 5 and 8, width 3", r.Rows)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	p := uploads.NewWorkbook(uploads.Header + `<row r="2" hidden="1"><c r="A2"><v>1</v></c></row>`)
	p[uploads.SheetPart] = strings.NewReplacer(
		"<sheetData>", `<cols><col min="1" max="1" hidden="1"/></cols><sheetData>`,
		"</sheetData>", `</sheetData><autoFilter ref="A1:B2"/><mergeCells count="1">`+
			`<mergeCell ref="A3:B3"/></mergeCells>`,
	).Replace(p[uploads.SheetPart])
	r := uploads.Read(p.Zip(t), source.Options{})
	all := fmt.Sprint(r.Table.Warnings)
	for _, word := range []string{"columns are hidden", "rows are hidden", "filter", "merged"} {
		if !strings.Contains(all, word) {
			t.Errorf("warnings %q do not speak of %q", all, word)
		}
	}
}
