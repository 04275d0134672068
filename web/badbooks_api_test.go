package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// goods returns a workbook with a header and rows as XML.
func goods(t testing.TB, rows string) string {
	t.Helper()
	return workbook(t, "S", xmlRow("1", "SKU", "Name", "Price")+rows)
}

// badBooks returns entries 9, 15 to 20, 25 and 26 of faults.md: workbooks that are damaged or hostile.
func badBooks(t *testing.T) []bad {
	two := xmlRow("2", "A", "a", "1") + xmlRow("3", "B", "b", "2")
	whole := goods(t, two)
	sheet := `<worksheet xmlns=` + spreadsheet + `><sheetData>` + xmlRow("1", "SKU", "Name", "Price") + two
	flipped := []byte(stored(t, sheet+`</sheetData></worksheet>`))
	at := bytes.Index(flipped, []byte(`<t>B</t>`))
	flipped[at+3] = 'C'
	var wide strings.Builder
	for i := 2; i < 5002; i++ {
		fmt.Fprintf(&wide, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i, i)
	}
	var long strings.Builder
	for i := 2; i < 23; i++ {
		long.WriteString(xmlRow(fmt.Sprint(i), "S", "n", "1"))
	}
	const damaged = "DAMAGED_FILE"
	cell := func(ref string) string { return goods(t, `<row r="2"><c r="`+ref+`"><v>1</v></c></row>`) }
	return []bad{
		{name: "9 a wrong checksum", content: string(flipped), status: 202, code: damaged, says: "sheet1.xml", rows: "2 a; 3 b"},
		{name: "15 cut off in a row", content: stored(t, sheet[:len(sheet)-20]), status: 202, code: damaged, says: "row 2", rows: "2 a"},
		{name: "15 cut off behind the rows", content: stored(t, sheet), status: 202, code: damaged, says: "row 3", rows: "2 a; 3 b"},
		{name: "16 5,000 rows of XFD", content: goods(t, wide.String()), status: 413, code: "TOO_MANY_COLUMNS", says: "XFD2"},
		{
			name: "17 a cell at the end of the sheet", status: 413, code: "TOO_MANY_COLUMNS", says: "XFD1048576",
			content: goods(t, `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`),
		},
		{name: "18 A0", content: cell("A0"), status: 422, code: damaged, says: "A0"},
		{name: "18 ZZZZ1", content: cell("ZZZZ1"), status: 422, code: damaged, says: "ZZZZ1"},
		{name: "18 row -5", content: goods(t, xmlRow("-5", "A", "a", "1")), status: 422, code: damaged, says: "-5"},
		{name: "18 row 2,000,000,000", content: goods(t, xmlRow("2000000000", "A", "a", "1")), status: 422, code: damaged, says: "2000000000"},
		{
			name: "19 a text that does not exist", status: 202, rows: "2 DAMAGED_CELL Name 99; 3 b",
			content: goods(t, `<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="s"><v>99</v></c><c r="C2"><v>1</v></c></row>`+
				xmlRow("3", "B", "b", "2")),
		},
		{
			name: "20 a row too many", content: goods(t, long.String()), status: 202, code: "TOO_MANY_ROWS",
			says: "more than 20 rows", // no row is added
		},
		{name: "25 hidden sheets only", content: workbookParts(t, "Full", two, "hidden"), status: 422, code: "NO_SHEET", says: "(hidden)"},
		{name: "25 charts only", content: workbookParts(t, "Full", two, "chart"), status: 422, code: "NO_SHEET", says: "(a chart)"},
		{
			name: "26 the first sheet empty", content: workbook(t, "Empty", "", "Full", xmlRow("1", "SKU", "Name")+two),
			status: 422, code: "EMPTY_SHEET", says: `\"Full\" holds data`,
		},
		{name: "no fault at all", content: whole, status: 202, rows: "2 a; 3 b"},
		{name: "no fault at all in zip", content: packed(t, "book.xlsx", whole), status: 202, rows: "2 a; 3 b"},
	}
}

// workbookParts returns a workbook whose only sheet has the given state.
func workbookParts(t testing.TB, name, rows, state string) string {
	t.Helper()
	return packed(t, parts(name, `<worksheet xmlns=`+spreadsheet+`><sheetData>`+rows+`</sheetData></worksheet>`, state)...)
}

// stored returns an uncompressed workbook of one sheet.
func stored(t testing.TB, sheet string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	list := parts("S", sheet, "visible")
	for i := 0; i < len(list); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: list[i], Method: zip.Store})
		fine(t, err)
		_, err = w.Write([]byte(list[i+1]))
		fine(t, err)
	}
	fine(t, z.Close())
	return b.String()
}

// parts returns the names and texts of the parts of a workbook with one sheet.
func parts(name, sheet, state string) []string {
	kind := "worksheet"
	if state == "chart" {
		kind, state = "chartsheet", ""
	}
	return []string{
		"[Content_Types].xml", `<Types/>`,
		"_rels/.rels", relations + `<Relationship Id="r" Type=` + relation + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook xmlns=` + spreadsheet + ` xmlns:r=` + relation + `"><sheets><sheet name="` + name +
			`" sheetId="1" state="` + state + `" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relations + `<Relationship Id="r1" Type=` + relation + `/` + kind +
			`" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", sheet,
	}
}
