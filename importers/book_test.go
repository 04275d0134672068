package importers

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
)

// parts is a workbook by the names of its parts; tests alter one and pack it.
type parts map[string]string

const (
	nsMain = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	nsRel  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	nsPack = "http://schemas.openxmlformats.org/package/2006/relationships"
)

// styles: 0 general, 1 date, 2 time, 3 elapsed, 4 a custom date, 5 a unit.
const testStyles = `<styleSheet xmlns="` + nsMain + `"><numFmts count="2">` +
	`<numFmt numFmtId="164" formatCode="[$-409]d\-mmm\-yyyy;@"/>` +
	`<numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts>` +
	`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>` +
	`<xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="46"/><xf numFmtId="164"/>` +
	`<xf numFmtId="165"/></cellXfs></styleSheet>`

// newParts returns a workbook of one sheet with the given rows as XML and the
// given shared texts.
func newParts(rows string, texts ...string) parts {
	var sst strings.Builder
	for _, t := range texts {
		sst.WriteString("<si><t>" + t + "</t></si>")
	}
	return parts{
		"[Content_Types].xml": `<Types xmlns="` + nsPack + `"/>`,
		"_rels/.rels":         rels("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` +
			`<workbook xmlns="` + nsMain + `" xmlns:r="` + nsRel + `"><sheets>` +
			`<sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": rels("worksheet", "worksheets/sheet1.xml",
			"sharedStrings", "sharedStrings.xml", "styles", "styles.xml"),
		"xl/styles.xml":            testStyles,
		"xl/sharedStrings.xml":     `<sst xmlns="` + nsMain + `">` + sst.String() + `</sst>`,
		"xl/worksheets/sheet1.xml": worksheet(rows),
	}
}

func worksheet(rows string) string {
	return `<worksheet xmlns="` + nsMain + `"><sheetData>` + rows + `</sheetData></worksheet>`
}

// rels makes a relationships part of pairs of kind and target.
func rels(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="` + nsPack + `">`)
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`,
			i/2+1, nsRel, pairs[i], pairs[i+1])
	}
	return b.String() + `</Relationships>`
}

// header is the row of headings A and B.
const header = `<row r="1"><c r="A1" t="inlineStr"><is><t>A</t></is></c>` +
	`<c r="B1" t="inlineStr"><is><t>B</t></is></c></row>`

// with returns a copy with one part changed.
func (p parts) with(name, text string) parts {
	q := maps.Clone(p)
	q[name] = text
	return q
}

// without returns a copy with one part missing.
func (p parts) without(name string) parts {
	q := maps.Clone(p)
	delete(q, name)
	return q
}

// zip packs the parts; stored does so without compression, which is faster.
func (p parts) zip(t testing.TB) []byte { return p.pack(t, zip.Deflate) }

func (p parts) stored(t testing.TB) []byte { return p.pack(t, zip.Store) }

func (p parts) pack(t testing.TB, method uint16) []byte {
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

// result is everything that reading a file gives.
type result struct {
	src  *Source
	rows []Row
	err  error // nil if the end was proved
}

// readAll reads a file to its end.
func readAll(data []byte, opt OpenOptions) result {
	s, err := Open(bytes.NewReader(data), int64(len(data)), opt)
	if err != nil {
		return result{err: err}
	}
	res := result{src: s}
	for {
		row, err := s.Next()
		if err == io.EOF {
			res.err = s.Close()
			return res
		}
		if err != nil {
			res.err = errors.Join(err, s.Close())
			return res
		}
		row.Cells = slices.Clone(row.Cells)
		res.rows = append(res.rows, row)
	}
}

// problem returns the Problem that reading ended with, or fails.
func (r result) problem(t *testing.T) *Problem {
	t.Helper()
	var p *Problem
	if !errors.As(r.err, &p) {
		t.Fatalf("read %d rows, then %v, want a Problem", len(r.rows), r.err)
	}
	return p
}

// texts returns the cells as text, "!CODE" for one that cannot be used.
func (r result) texts() [][]string {
	var all [][]string
	for _, row := range r.rows {
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
