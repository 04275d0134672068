package source_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestWhatIsImportedAllTheSame checks entries 51 and 52 of faults.md, and the warnings for users.
func TestWhatIsImportedAllTheSame(t *testing.T) {
	t.Parallel()
	rows := uploads.Header + `<row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="B3"><v>2</v></c></row>`
	tests := []struct{ name, old, put, says string }{
		{"51 merged cells", "</sheetData>", `</sheetData><mergeCells><mergeCell ref="A2:B2"/></mergeCells>`, "first of them only"},
		{"52 hidden rows", `<row r="3"`, `<row r="3" hidden="1"`, "rows are hidden: they are imported"},
		{"52 hidden columns", "<sheetData>", `<cols><col min="1" max="1" hidden="true"/></cols><sheetData>`, "columns are hidden: they are imported"},
		{"52 a filter", "</sheetData>", `</sheetData><autoFilter ref="A1:B3"/>`, "imported too"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := uploads.NewWorkbook(rows)
			p[uploads.SheetPart] = strings.Replace(p[uploads.SheetPart], tt.old, tt.put, 1)
			r := uploads.Read(p.Zip(t), source.Options{})
			if r.Err != nil || len(r.Rows) != 2 {
				t.Fatalf("%d rows, %v", len(r.Rows), r.Err)
			}
			if all := strings.Join(r.Table.Warnings, " "); !strings.Contains(all, tt.says) {
				t.Errorf("warnings %q", all)
			}
		})
	}
}

// TestFormatsOfDatesAreFollowed checks entry 46 of faults.md.
func TestFormatsOfDatesAreFollowed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ serial, want, system string }{
		"46 a day":                      {"45413", "2024-05-01", "0"},
		"46 a day of the Mac":           {"43951", "2024-05-01", "1"},
		"46 the day that never was":     {"60", "!INVALID_DATE", "0"},
		"46 no such day of the Mac":     {"60", "1904-03-01", "1"},
		"46 the last day":               {"2958465", "9999-12-31", "0"},
		"46 a day too late":             {"2958466", "!INVALID_DATE", "0"},
		"46 a day too late for the Mac": {"2957004", "!INVALID_DATE", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := uploads.NewWorkbook(uploads.Header + `<row r="2"><c r="A2" s="1"><v>` + tt.serial + `</v></c></row>`)
			p["xl/workbook.xml"] = strings.Replace(p["xl/workbook.xml"], "<sheets>",
				`<workbookPr date1904="`+tt.system+`"/><sheets>`, 1)
			r := uploads.Read(p.Zip(t), source.Options{})
			if r.Err != nil || r.Texts()[0][0] != tt.want {
				t.Errorf("read %v, %v, want %s", r.Texts(), r.Err, tt.want)
			}
		})
	}
}

// TestSameBytesSameRows: a file that is read again, for example after a crash, must give the same rows
// with the same numbers.
func TestSameBytesSameRows(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"gzip": uploads.Gzip(t, []byte("A;B\n1;ä\n\n2;b\n")), "book": uploads.NewWorkbook(uploads.TwoRows).Zip(t),
		"text": []byte("A,B\r\n\"x\ny\",2\r\r3,4\n"),
	} {
		first, again := uploads.Read(data, source.Options{}), uploads.Read(bytes.Clone(data), source.Options{})
		if first.Err != nil || fmt.Sprint(first.Rows) != fmt.Sprint(again.Rows) {
			t.Errorf("%s: %v, then %v (%v)", name, first.Rows, again.Rows, first.Err)
		}
	}
}
