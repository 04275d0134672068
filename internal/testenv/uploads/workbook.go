package uploads

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// Parts holds the parts of a workbook by name. Tests change a part and pack the workbook.
type Parts map[string]string

// These are XML namespaces of the parts of a workbook.
const (
	NSMain = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	NSRel  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	nsPack = "http://schemas.openxmlformats.org/package/2006/relationships"
)

// testStyles is the part of a workbook with its cell styles. Style 0 is general, 1 a date, 2 a time, 3
// an elapsed time, 4 a custom date, and 5 a number with a unit.
const testStyles = `<styleSheet xmlns="` + NSMain + `"><numFmts count="2">` +
	`<numFmt numFmtId="164" formatCode="[$-409]d\-mmm\-yyyy;@"/>` +
	`<numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts>` +
	`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>` +
	`<xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="46"/><xf numFmtId="164"/>` +
	`<xf numFmtId="165"/></cellXfs></styleSheet>`

// NewWorkbook returns a workbook with one sheet. The argument `rows` is the XML of its rows, and `texts`
// are the shared strings.
func NewWorkbook(rows string, texts ...string) Parts {
	var sst strings.Builder
	for _, t := range texts {
		sst.WriteString("<si><t>" + t + "</t></si>")
	}
	return Parts{
		"[Content_Types].xml": `<Types xmlns="` + nsPack + `"/>`,
		"_rels/.rels":         Rels("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` +
			`<workbook xmlns="` + NSMain + `" xmlns:r="` + NSRel + `"><sheets>` +
			`<sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": Rels("worksheet", "worksheets/sheet1.xml",
			"sharedStrings", "sharedStrings.xml", "styles", "styles.xml"),
		"xl/styles.xml":            testStyles,
		"xl/sharedStrings.xml":     `<sst xmlns="` + NSMain + `">` + sst.String() + `</sst>`,
		"xl/worksheets/sheet1.xml": Worksheet(rows),
	}
}

// Worksheet returns the XML of a worksheet part. The argument `rows` is the XML of its rows.
func Worksheet(rows string) string {
	return `<worksheet xmlns="` + NSMain + `"><sheetData>` + rows + `</sheetData></worksheet>`
}

// Rels returns a part with relationships. The argument `pairs` holds the type of each relationship,
// followed by its target.
func Rels(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="` + nsPack + `">`)
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`,
			i/2+1, NSRel, pairs[i], pairs[i+1])
	}
	return b.String() + `</Relationships>`
}

// OLEMagic is the start of an Excel workbook of 1997 to 2003, and of an encrypted workbook.
const OLEMagic = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// UTF16 returns a text in UTF-16, little endian.
func UTF16(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// Header is the row of headings A and B.
const Header = `<row r="1"><c r="A1" t="inlineStr"><is><t>A</t></is></c>` +
	`<c r="B1" t="inlineStr"><is><t>B</t></is></c></row>`

// With returns a copy with one part changed.
func (p Parts) With(name, text string) Parts {
	q := maps.Clone(p)
	q[name] = text
	return q
}

// Without returns a copy with one part missing.
func (p Parts) Without(name string) Parts {
	q := maps.Clone(p)
	delete(q, name)
	return q
}

// Zip returns the parts as the zip file of a workbook.
func (p Parts) Zip(t testing.TB) []byte { return p.pack(t, zip.Deflate) }

// Stored works like Zip, but without compression, which is faster.
func (p Parts) Stored(t testing.TB) []byte { return p.pack(t, zip.Store) }

func (p Parts) pack(t testing.TB, method uint16) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = io.WriteString(f, p[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Reading is the result of Read: the table of the file, its rows, and the error at the end.
type Reading struct {
	Table *source.Table
	Rows  []tabular.Row
	Err   error // nil if the end of the file was reached
}

// Read reads a file to its end.
func Read(data []byte, opt source.Options) Reading {
	s, err := source.Open(bytes.NewReader(data), int64(len(data)), opt)
	if err != nil {
		return Reading{Err: err}
	}
	res := Reading{Table: s}
	for {
		row, err := s.Next()
		if err == io.EOF {
			res.Err = s.Close()
			return res
		}
		if err != nil {
			res.Err = errors.Join(err, s.Close())
			return res
		}
		row.Cells = slices.Clone(row.Cells)
		res.Rows = append(res.Rows, row)
	}
}

// Problem returns the Problem at the end of the file, or fails the test.
func (r Reading) Problem(t *testing.T) *tabular.Problem {
	t.Helper()
	var p *tabular.Problem
	if !errors.As(r.Err, &p) {
		t.Fatalf("read %d rows, then %v, want a Problem", len(r.Rows), r.Err)
	}
	return p
}

// Texts returns the cells as texts; "!CODE" stands for an invalid cell.
func (r Reading) Texts() [][]string {
	var all [][]string
	for _, row := range r.Rows {
		cells := []string{}
		for _, c := range row.Cells {
			if c.Code != "" {
				cells = append(cells, "!"+c.Code)
				continue
			}
			cells = append(cells, c.Text)
		}
		all = append(all, cells)
	}
	return all
}
