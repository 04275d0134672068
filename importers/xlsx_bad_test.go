package importers

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// twoRows is a header and two good data rows.
const twoRows = header + `<row r="2"><c r="A2"><v>1</v></c></row>` +
	`<row r="3"><c r="B3"><v>2</v></c></row>`

const sheetPart = "xl/worksheets/sheet1.xml"

// TestDamagedWorkbooks: a sheet that is not whole is never a shorter import.
func TestDamagedWorkbooks(t *testing.T) {
	t.Parallel()
	good := newParts(twoRows)
	sheet := good[sheetPart]
	row := func(xml string) parts { return good.with(sheetPart, worksheet(twoRows+xml)) }
	tests := []struct {
		name string
		file parts
		code string
		said string // part of the words
		row  int    // last good row
	}{
		{
			"the sheet is cut off inside a row",
			good.with(sheetPart, sheet[:strings.Index(sheet, `<row r="3"`)+20]), CodeDamagedFile,
			"cut off", 2,
		},
		{
			"only the last closing tag is missing",
			good.with(sheetPart, strings.TrimSuffix(sheet, "</worksheet>")), CodeDamagedFile,
			"cut off", 3,
		},
		{
			"the rows are never closed",
			good.with(sheetPart, strings.TrimSuffix(sheet, "</sheetData></worksheet>")),
			CodeDamagedFile, "cut off", 3,
		},
		{
			"garbage follows the sheet", good.with(sheetPart, sheet+"garbage"), CodeDamagedFile,
			"outside the root", 3,
		},
		{
			"a second root follows", good.with(sheetPart, sheet+sheet), CodeDamagedFile,
			"second root", 3,
		},
		{
			"garbage stands among the rows", row("garbage"), CodeDamagedFile,
			"only elements belong", 3,
		},
		{
			"a tag is closed by another", row(`<row r="4"><c r="A4"><v>1</c></v></row>`),
			CodeDamagedFile, "closing tag", 3,
		},
		{
			"a tag is malformed", row(`<row r="4"><c r="A4" s=5><v>1</v></c></row>`),
			CodeDamagedFile, "malformed", 3,
		},
		{"an attribute is doubled", row(`<row r="4" r="5"></row>`), CodeDamagedFile, "twice", 3},
		{
			"an unknown entity", row(`<row r="4"><c r="A4" t="str"><v>&evil;</v></c></row>`),
			CodeDamagedFile, "entity", 3,
		},
		{
			"a bare ampersand", row(`<row r="4"><c r="A4" t="str"><v>a & b</v></c></row>`),
			CodeDamagedFile, "entity", 3,
		},
		{
			"an element unknown among rows", row(`<group><row r="4"/></group>`), CodeDamagedFile,
			"unknown element", 3,
		},
		{
			"an element unknown in a row", row(`<row r="4"><x><c r="A4"><v>1</v></c></x></row>`),
			CodeDamagedFile, "unknown element", 3,
		},
		{
			"two sets of rows",
			good.with(sheetPart, strings.Replace(sheet, "</worksheet>", "<sheetData/></worksheet>", 1)),
			CodeDamagedFile, "second set", 3,
		},
		{
			"rows out of order", row(`<row r="2"><c r="A2"><v>9</v></c></row>`), CodeDamagedFile,
			"row number", 3,
		},
		{"row zero", row(`<row r="0"/>`), CodeDamagedFile, "row number", 3},
		{"row minus five", row(`<row r="-5"/>`), CodeDamagedFile, "row number", 3},
		{
			"row two thousand million", row(`<row r="2000000000"/>`), CodeDamagedFile,
			"row number", 3,
		},
		{"a row below the last", row(`<row r="1048577"/>`), CodeDamagedFile, "row number", 3},
		{
			"a reference to row zero", row(`<row r="4"><c r="A0"><v>1</v></c></row>`),
			CodeDamagedFile, "A0", 3,
		},
		{
			"a reference right of the last column",
			row(`<row r="4"><c r="ZZZZ4"><v>1</v></c></row>`), CodeDamagedFile, "ZZZZ4", 3,
		},
		{
			"a reference to XFE", row(`<row r="4"><c r="XFE4"><v>1</v></c></row>`),
			CodeDamagedFile, "XFE4", 3,
		},
		{
			"a reference to another row", row(`<row r="4"><c r="A5"><v>1</v></c></row>`),
			CodeDamagedFile, "A5", 3,
		},
		{
			"a cell twice", row(`<row r="4"><c r="A4"><v>1</v></c><c r="A4"><v>2</v></c></row>`),
			CodeDamagedFile, "A4 is there twice", 3,
		},
		{
			"a cell with two values", row(`<row r="4"><c r="A4"><v>1</v><v>2</v></c></row>`),
			CodeDamagedFile, "two values", 3,
		},
		{
			"shared texts cut off",
			good.with("xl/sharedStrings.xml", `<sst xmlns="x"><si><t>a</t></si>`),
			CodeDamagedFile, "sharedStrings.xml", 3,
		},
		{"the sheet's part is missing", good.without(sheetPart), CodeDamagedFile, "missing", 0},
		{
			"the workbook's part is missing", good.without("xl/workbook.xml"), CodeDamagedFile,
			"missing", 0,
		},
		{
			"the relationships are missing", good.without("_rels/.rels"), CodeDamagedFile,
			"missing", 0,
		},
		{
			"the sheet leads nowhere", good.with("xl/_rels/workbook.xml.rels", rels()),
			CodeDamagedFile, "leads nowhere", 0,
		},
		{"another root", good.with(sheetPart, "<html></html>"), CodeDamagedFile, "root element", 0},
		{"an empty part", good.with(sheetPart, ""), CodeDamagedFile, "cut off", 0},
		{
			"another text encoding",
			good.with(sheetPart, `<?xml version="1.0" encoding="EBCDIC"?>`+sheet),
			CodeDamagedFile, "ebcdic", 0,
		},
		{
			"an entry name that climbs out", good.with("../evil.xml", "x"), CodeUnsafeFile,
			"no spreadsheet program", 0,
		},
		{"an absolute entry name", good.with("/etc/evil.xml", "x"), CodeUnsafeFile, "no spreadsheet program", 0},
		{
			"a backslash in an entry name", good.with(`..\evil.xml`, "x"), CodeUnsafeFile,
			"no spreadsheet program", 0,
		},
		{"a NUL in an entry name", good.with("xl/evil\x00.xml", "x"), CodeUnsafeFile, "no spreadsheet program", 0},
		{
			"entry names that differ by case", good.with("XL/Workbook.xml", "x"), CodeUnsafeFile,
			"twice", 0,
		},
		{
			"a DOCTYPE in the sheet",
			good.with(sheetPart, `<!DOCTYPE a [<!ENTITY b "c">]>`+sheet), CodeUnsafeFile,
			"document type", 0,
		},
		{
			"a DOCTYPE in the shared texts",
			good.with("xl/sharedStrings.xml", `<!DOCTYPE sst SYSTEM "file:///etc/passwd"><sst/>`),
			CodeUnsafeFile, "document type", 0,
		},
		{
			"a DOCTYPE behind a long comment",
			good.with(sheetPart, "<!--"+strings.Repeat("x", 9000)+"--><!DOCTYPE a>"+sheet),
			CodeUnsafeFile, "document type", 0,
		},
		{
			"a DOCTYPE in a part that is not read",
			good.with("docProps/core.xml", `<?xml version="1.0"?><!DOCTYPE a><a/>`),
			CodeUnsafeFile, "document type", 0,
		},
		{
			"a heading in column XFD",
			good.with(sheetPart, strings.Replace(sheet, `<c r="B1"`, `<c r="XFD1"`, 1)),
			CodeTooManyColumns, "cell XFD1", 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			p := readAll(tt.file.zip(t), OpenOptions{}).problem(t)
			if p.Code != tt.code || !strings.Contains(p.Detail, tt.said) || p.Row != tt.row {
				t.Errorf("got %+v, want code %s, row %d, words %q", p, tt.code, tt.row, tt.said)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("refusing took %v", took)
			}
		})
	}
}

// TestEveryCutIsSeen cuts a workbook's sheet and shared texts at every byte:
// no cut may pass for the end.
func TestEveryCutIsSeen(t *testing.T) {
	t.Parallel()
	good := newParts(header+`<row r="2"><c r="A2" t="s"><v>0</v></c></row>`, "one", "two")
	for _, name := range []string{sheetPart, "xl/sharedStrings.xml"} {
		for n := range len(good[name]) {
			data := good.with(name, good[name][:n]).stored(t)
			if r := readAll(data, OpenOptions{}); r.err == nil {
				t.Fatalf("%s cut at byte %d of %d read as %v", name, n, len(good[name]), r.texts())
			}
		}
	}
}

// TestEveryCutOfTheFileIsSeen cuts the container itself.
func TestEveryCutOfTheFileIsSeen(t *testing.T) {
	t.Parallel()
	data := newParts(twoRows).zip(t)
	if r := readAll(data, OpenOptions{}); r.err != nil || len(r.rows) != 2 {
		t.Fatalf("whole file: %v, %v", r.texts(), r.err)
	}
	for n := range len(data) {
		if p := readAll(data[:n], OpenOptions{}); p.err == nil {
			t.Fatalf("file cut at byte %d of %d was read", n, len(data))
		}
	}
}

// TestFlippedBytesAreSeen alters each byte of the stored parts: the checksum
// must tell, whatever the XML looks like.
func TestFlippedBytesAreSeen(t *testing.T) {
	t.Parallel()
	row := `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>1111</v></c></row>`
	p := newParts(header+row, "text")
	whole := p.stored(t)
	for _, name := range []string{sheetPart, "xl/sharedStrings.xml"} {
		at := bytes.Index(whole, []byte(p[name]))
		for i := range len(p[name]) {
			data := bytes.Clone(whole)
			data[at+i] ^= 1
			if r := readAll(data, OpenOptions{}); r.err == nil {
				t.Fatalf("%s with byte %d altered read as %v", name, i, r.texts())
			}
		}
	}
}

func TestChecksumZeroIsNoWayAround(t *testing.T) {
	t.Parallel()
	p := newParts(twoRows)
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
	if got := readAll(b.Bytes(), OpenOptions{}).problem(t); !strings.Contains(got.Detail, "checksum") {
		t.Errorf("got %+v, want a wrong checksum", got)
	}
}

func TestBombs(t *testing.T) {
	t.Parallel()
	blanks := strings.Repeat(" ", 2<<20)
	many := newParts(twoRows)
	for i := range 300 {
		many[fmt.Sprintf("xl/media/%d.bin", i)] = "x"
	}
	tests := []struct {
		name  string
		file  parts
		limit Limits
	}{
		{"a sheet that unpacks a thousandfold", newParts(twoRows + blanks), Limits{}},
		{"shared texts that unpack a thousandfold", newParts(twoRows, "a", blanks), Limits{}},
		{
			"more than the total in all", newParts(twoRows).with("x.bin", blanks),
			Limits{Unzipped: 1 << 20},
		},
		{"too many entries", many, Limits{Entries: 300}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := readAll(tt.file.zip(t), OpenOptions{Limits: tt.limit}).problem(t)
			if p.Code != CodeZipBomb {
				t.Errorf("got %+v, want %s", p, CodeZipBomb)
			}
		})
	}
}

// TestManyEntriesAreCheap: the list of contents is not read without bound.
func TestManyEntriesAreCheap(t *testing.T) {
	t.Parallel()
	file := parts{}
	for i := range 60_000 {
		file[fmt.Sprintf("xl/worksheets/a-rather-long-name-of-a-part-%07d.xml", i)] = ""
	}
	if p := readAll(file.stored(t), OpenOptions{}).problem(t); p.Code != CodeZipBomb {
		t.Errorf("got %+v, want %s", p, CodeZipBomb)
	}
}
