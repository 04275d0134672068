package xlsx_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestDamagedWorkbooks: an incomplete sheet never gives a shorter import.
func TestDamagedWorkbooks(t *testing.T) {
	t.Parallel()
	good := uploads.NewWorkbook(uploads.TwoRows)
	sheet := good[uploads.SheetPart]
	row := func(xml string) uploads.Parts {
		return good.With(uploads.SheetPart, uploads.Worksheet(uploads.TwoRows+xml))
	}
	tests := []struct {
		name string
		file uploads.Parts
		code string
		said string // part of the words
		row  int    // last good row
	}{
		{
			"the sheet is cut off inside a row",
			good.With(uploads.SheetPart, sheet[:strings.Index(sheet, `<row r="3"`)+20]), tabular.CodeDamagedFile,
			"cut off", 2,
		},
		{
			"only the last closing tag is missing",
			good.With(uploads.SheetPart, strings.TrimSuffix(sheet, "</worksheet>")), tabular.CodeDamagedFile,
			"cut off", 3,
		},
		{
			"the rows are never closed",
			good.With(uploads.SheetPart, strings.TrimSuffix(sheet, "</sheetData></worksheet>")),
			tabular.CodeDamagedFile, "cut off", 3,
		},
		{
			"garbage follows the sheet", good.With(uploads.SheetPart, sheet+"garbage"), tabular.CodeDamagedFile,
			"outside the root", 3,
		},
		{
			"a second root follows", good.With(uploads.SheetPart, sheet+sheet), tabular.CodeDamagedFile,
			"second root", 3,
		},
		{
			"garbage stands among the rows", row("garbage"), tabular.CodeDamagedFile,
			"only elements belong", 3,
		},
		{
			"a tag is closed by another", row(`<row r="4"><c r="A4"><v>1</c></v></row>`),
			tabular.CodeDamagedFile, "closing tag", 3,
		},
		{
			"a tag is malformed", row(`<row r="4"><c r="A4" s=5><v>1</v></c></row>`),
			tabular.CodeDamagedFile, "malformed", 3,
		},
		{"an attribute is doubled", row(`<row r="4" r="5"></row>`), tabular.CodeDamagedFile, "twice", 3},
		{
			"an unknown entity", row(`<row r="4"><c r="A4" t="str"><v>&evil;</v></c></row>`),
			tabular.CodeDamagedFile, "entity", 3,
		},
		{
			"a bare ampersand", row(`<row r="4"><c r="A4" t="str"><v>a & b</v></c></row>`),
			tabular.CodeDamagedFile, "entity", 3,
		},
		{
			"an element unknown among rows", row(`<group><row r="4"/></group>`), tabular.CodeDamagedFile,
			"unknown element", 3,
		},
		{
			"an element unknown in a row", row(`<row r="4"><x><c r="A4"><v>1</v></c></x></row>`),
			tabular.CodeDamagedFile, "unknown element", 3,
		},
		{
			"two sets of rows",
			good.With(uploads.SheetPart, strings.Replace(sheet, "</worksheet>", "<sheetData/></worksheet>", 1)),
			tabular.CodeDamagedFile, "second set", 3,
		},
		{
			"rows out of order", row(`<row r="2"><c r="A2"><v>9</v></c></row>`), tabular.CodeDamagedFile,
			"row number", 3,
		},
		{"row zero", row(`<row r="0"/>`), tabular.CodeDamagedFile, "row number", 3},
		{"row minus five", row(`<row r="-5"/>`), tabular.CodeDamagedFile, "row number", 3},
		{
			"row two thousand million", row(`<row r="2000000000"/>`), tabular.CodeDamagedFile,
			"row number", 3,
		},
		{"a row below the last", row(`<row r="1048577"/>`), tabular.CodeDamagedFile, "row number", 3},
		{
			"a reference to row zero", row(`<row r="4"><c r="A0"><v>1</v></c></row>`),
			tabular.CodeDamagedFile, "A0", 3,
		},
		{
			"a reference right of the last column",
			row(`<row r="4"><c r="ZZZZ4"><v>1</v></c></row>`), tabular.CodeDamagedFile, "ZZZZ4", 3,
		},
		{
			"a reference to XFE", row(`<row r="4"><c r="XFE4"><v>1</v></c></row>`),
			tabular.CodeDamagedFile, "XFE4", 3,
		},
		{
			"a reference to another row", row(`<row r="4"><c r="A5"><v>1</v></c></row>`),
			tabular.CodeDamagedFile, "A5", 3,
		},
		{
			"a cell twice", row(`<row r="4"><c r="A4"><v>1</v></c><c r="A4"><v>2</v></c></row>`),
			tabular.CodeDamagedFile, "A4 is there twice", 3,
		},
		{
			"a cell with two values", row(`<row r="4"><c r="A4"><v>1</v><v>2</v></c></row>`),
			tabular.CodeDamagedFile, "two values", 3,
		},
		{
			"shared strings cut off",
			good.With("xl/sharedStrings.xml", `<sst xmlns="x"><si><t>a</t></si>`),
			tabular.CodeDamagedFile, "sharedStrings.xml", 3,
		},
		{"the sheet's part is missing", good.Without(uploads.SheetPart), tabular.CodeDamagedFile, "missing", 0},
		{
			"the workbook's part is missing", good.Without("xl/workbook.xml"), tabular.CodeDamagedFile,
			"missing", 0,
		},
		{
			"the relationships are missing", good.Without("_rels/.rels"), tabular.CodeDamagedFile,
			"missing", 0,
		},
		{
			"the sheet leads nowhere", good.With("xl/_rels/workbook.xml.rels", uploads.Rels()),
			tabular.CodeDamagedFile, "leads nowhere", 0,
		},
		{"another root", good.With(uploads.SheetPart, "<html></html>"), tabular.CodeDamagedFile, "root element", 0},
		{"an empty part", good.With(uploads.SheetPart, ""), tabular.CodeDamagedFile, "cut off", 0},
		{
			"another text encoding",
			good.With(uploads.SheetPart, `<?xml version="1.0" encoding="EBCDIC"?>`+sheet),
			tabular.CodeDamagedFile, "ebcdic", 0,
		},
		{
			"an entry name that climbs out", good.With("../evil.xml", "x"), tabular.CodeUnsafeFile,
			"no spreadsheet program", 0,
		},
		{"an absolute entry name", good.With("/etc/evil.xml", "x"), tabular.CodeUnsafeFile, "no spreadsheet program", 0},
		{
			"a backslash in an entry name", good.With(`..\evil.xml`, "x"), tabular.CodeUnsafeFile,
			"no spreadsheet program", 0,
		},
		{"a NUL in an entry name", good.With("xl/evil\x00.xml", "x"), tabular.CodeUnsafeFile, "no spreadsheet program", 0},
		{
			"entry names that differ by case", good.With("XL/Workbook.xml", "x"), tabular.CodeUnsafeFile,
			"twice", 0,
		},
		{
			"a DOCTYPE in the sheet",
			good.With(uploads.SheetPart, `<!DOCTYPE a [<!ENTITY b "c">]>`+sheet), tabular.CodeUnsafeFile,
			"document type", 0,
		},
		{
			"a DOCTYPE in the shared strings",
			good.With("xl/sharedStrings.xml", `<!DOCTYPE sst SYSTEM "file:///etc/passwd"><sst/>`),
			tabular.CodeUnsafeFile, "document type", 0,
		},
		{
			"a DOCTYPE behind a long comment",
			good.With(uploads.SheetPart, "<!--"+strings.Repeat("x", 9000)+"--><!DOCTYPE a>"+sheet),
			tabular.CodeUnsafeFile, "document type", 0,
		},
		{
			"a DOCTYPE in a part that is not read",
			good.With("docProps/core.xml", `<?xml version="1.0"?><!DOCTYPE a><a/>`),
			tabular.CodeUnsafeFile, "document type", 0,
		},
		{
			"a heading in column XFD",
			good.With(uploads.SheetPart, strings.Replace(sheet, `<c r="B1"`, `<c r="XFD1"`, 1)),
			tabular.CodeTooManyColumns, "cell XFD1", 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			p := uploads.Read(tt.file.Zip(t), source.Options{}).Problem(t)
			if p.Code != tt.code || !strings.Contains(p.Detail, tt.said) || p.Row != tt.row {
				t.Errorf("got %+v, want code %s, row %d, words %q", p, tt.code, tt.row, tt.said)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("refusing took %v", took)
			}
		})
	}
}

// TestEveryCutIsSeen truncates a workbook's sheet and shared strings at every byte. Each cut must be
// an error.
func TestEveryCutIsSeen(t *testing.T) {
	t.Parallel()
	good := uploads.NewWorkbook(uploads.Header+`<row r="2"><c r="A2" t="s"><v>0</v></c></row>`, "one", "two")
	for _, name := range []string{uploads.SheetPart, "xl/sharedStrings.xml"} {
		for n := range len(good[name]) {
			data := good.With(name, good[name][:n]).Stored(t)
			if r := uploads.Read(data, source.Options{}); r.Err == nil {
				t.Fatalf("%s cut at byte %d of %d read as %v", name, n, len(good[name]), r.Texts())
			}
		}
	}
}

// TestEveryCutOfTheFileIsSeen truncates the container.
func TestEveryCutOfTheFileIsSeen(t *testing.T) {
	t.Parallel()
	data := uploads.NewWorkbook(uploads.TwoRows).Zip(t)
	if r := uploads.Read(data, source.Options{}); r.Err != nil || len(r.Rows) != 2 {
		t.Fatalf("whole file: %v, %v", r.Texts(), r.Err)
	}
	for n := range len(data) {
		if p := uploads.Read(data[:n], source.Options{}); p.Err == nil {
			t.Fatalf("file cut at byte %d of %d was read", n, len(data))
		}
	}
}

// TestFlippedBytesAreSeen changes each byte of the stored parts. The checksum must differ, whatever
// the XML is.
func TestFlippedBytesAreSeen(t *testing.T) {
	t.Parallel()
	row := `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>1111</v></c></row>`
	p := uploads.NewWorkbook(uploads.Header+row, "text")
	whole := p.Stored(t)
	for _, name := range []string{uploads.SheetPart, "xl/sharedStrings.xml"} {
		at := bytes.Index(whole, []byte(p[name]))
		for i := range len(p[name]) {
			data := bytes.Clone(whole)
			data[at+i] ^= 1
			if r := uploads.Read(data, source.Options{}); r.Err == nil {
				t.Fatalf("%s with byte %d altered read as %v", name, i, r.Texts())
			}
		}
	}
}

func TestChecksumZeroIsNoWayAround(t *testing.T) {
	t.Parallel()
	p := uploads.NewWorkbook(uploads.TwoRows)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range p {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: name, CompressedSize64: uint64(len(text)), UncompressedSize64: uint64(len(text)),
		})
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := uploads.Read(b.Bytes(), source.Options{}).Problem(t); !strings.Contains(got.Detail, "checksum") {
		t.Errorf("got %+v, want a wrong checksum", got)
	}
}

func TestBombs(t *testing.T) {
	t.Parallel()
	blanks := strings.Repeat(" ", 2<<20)
	many := uploads.NewWorkbook(uploads.TwoRows)
	for i := range 300 {
		many[fmt.Sprintf("xl/media/%d.bin", i)] = "x"
	}
	tests := []struct {
		name  string
		file  uploads.Parts
		limit tabular.Limits
	}{
		{"a sheet that unpacks a thousandfold", uploads.NewWorkbook(uploads.TwoRows + blanks), tabular.Limits{}},
		{"shared strings that unpack a thousandfold", uploads.NewWorkbook(uploads.TwoRows, "a", blanks), tabular.Limits{}},
		{
			"more than the total in all", uploads.NewWorkbook(uploads.TwoRows).With("x.bin", blanks),
			tabular.Limits{Unzipped: 1 << 20},
		},
		{"too many entries", many, tabular.Limits{Entries: 300}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := uploads.Read(tt.file.Zip(t), source.Options{Limits: tt.limit}).Problem(t)
			if p.Code != tabular.CodeZipBomb {
				t.Errorf("got %+v, want %s", p, tabular.CodeZipBomb)
			}
		})
	}
}

// TestManyEntriesAreCheap: the directory of a container is read up to a limit.
func TestManyEntriesAreCheap(t *testing.T) {
	t.Parallel()
	file := uploads.Parts{}
	for i := range 60_000 {
		file[fmt.Sprintf("xl/worksheets/a-rather-long-name-of-a-part-%07d.xml", i)] = ""
	}
	if p := uploads.Read(file.Stored(t), source.Options{}).Problem(t); p.Code != tabular.CodeZipBomb {
		t.Errorf("got %+v, want %s", p, tabular.CodeZipBomb)
	}
}
