package importers

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzXLSX checks what a sheet and its shared texts rest on, whatever they
// hold: reading never panics; what is read to its end is well closed, so that
// without its last byte it is not; and no row is lost that encoding/xml sees.
func FuzzXLSX(f *testing.F) {
	good := newParts(twoRows, "a", "b")
	f.Add(good[sheetPart], good["xl/sharedStrings.xml"])
	f.Add(worksheet(header+`<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1</f></c></row>`),
		"<sst><si><r><t>x</t></r></si></sst>")
	f.Add(`<?xml version="1.0"?><!-- > --><x:worksheet><x:sheetData/></x:worksheet>`, "<sst/>")
	f.Add(worksheet(`<row><c t="inlineStr"><is><t>&#65;_x000D_</t></is></c></row>`), "")
	f.Fuzz(func(t *testing.T, sheet, texts string) {
		p := good.with(sheetPart, sheet).with("xl/sharedStrings.xml", texts)
		r := readAll(p.stored(t), OpenOptions{})
		if r.err != nil {
			r.problem(t) // never an error of another kind
			return
		}
		for _, name := range []string{sheetPart, "xl/sharedStrings.xml"} {
			cut := strings.TrimRight(p[name], " \t\r\n")
			if strings.HasSuffix(cut, "-->") || strings.HasSuffix(cut, "?>") {
				continue // what follows the root may be cut off whole
			}
			if r := readAll(p.with(name, cut[:len(cut)-1]).stored(t), OpenOptions{}); r.err == nil {
				t.Errorf("%s reads to its end without its last byte: %q", name, cut)
			}
		}
		if n, ok := valueRows(sheet); ok && n > len(r.rows)+r.src.HeaderRow {
			t.Errorf("encoding/xml sees %d rows with values, we read %d below row %d",
				n, len(r.rows), r.src.HeaderRow)
		}
	})
}

// valueRows counts the rows with a <v> that holds visible text; false if
// encoding/xml does not accept the sheet.
func valueRows(sheet string) (n int, ok bool) {
	d := xml.NewDecoder(strings.NewReader(sheet))
	full, inValue := false, false
	for {
		tok, err := d.Token()
		switch tok := tok.(type) {
		case nil:
			return n, err == io.EOF
		case xml.StartElement:
			full = full && tok.Name.Local != "row"
			inValue = tok.Name.Local == "v"
		case xml.CharData:
			full = full || inValue && trimHeading(string(tok)) != ""
		case xml.EndElement:
			inValue = false
			if tok.Name.Local == "row" && full {
				n++
			}
		}
	}
}

// FuzzContainer checks that no file at all makes reading panic, and that it
// fails with words for a person.
func FuzzContainer(f *testing.F) {
	f.Add(newParts(twoRows, "a").zip(f))
	f.Add(newParts(twoRows, "a").stored(f))
	f.Add([]byte(oleMagic))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r := readAll(data, OpenOptions{Limits: Limits{Unzipped: 4 << 20}}); r.err != nil {
			r.problem(t)
		}
	})
}

// FuzzCSV checks that text never makes reading panic, and that it is read as
// encoding/csv reads it wherever that accepts it.
func FuzzCSV(f *testing.F) {
	f.Add("A,B\n1,2\n")
	f.Add("A;B\r\n\"x\r\ny\";2\r\n")
	f.Add("A,B\n5\" x,\"a\"\"b\"\n")
	f.Add("A,B\r1,\"2")
	f.Add("A,B\n\"x\" ,1\n")
	f.Fuzz(func(t *testing.T, data string) {
		r := readAll([]byte(data), OpenOptions{Delimiter: ',', Encoding: "utf-8"})
		if r.err != nil {
			r.problem(t)
			return
		}
		if strings.Contains(strings.ReplaceAll(data, "\r\n", "\n"), "\r") ||
			strings.HasPrefix(strings.ToLower(data), "sep=") || strings.HasPrefix(data, "\xFE\xFF") ||
			strings.HasPrefix(data, "\xFF\xFE") || strings.Contains(data, "sep=") {
			return // encoding/csv takes bare CR for text, and knows no UTF-16
		}
		if strings.Contains(fmt.Sprint(r.texts()), "!") {
			return // perhaps a cell that was mended so that it can be shown
		}
		c := csv.NewReader(strings.NewReader(strings.TrimPrefix(data, "\xEF\xBB\xBF")))
		c.FieldsPerRecord = -1
		want, err := c.ReadAll()
		if err != nil {
			return
		}
		if diff := cmp.Diff(visible(want, r.src.Header), append([][]string{}, plain(r)...)); diff != "" {
			t.Errorf("%q (-encoding/csv +ours):\n%s", data, diff)
		}
	})
}

// visible is what encoding/csv read below the header, without what we leave
// out: blank rows, and empty cells at the end.
func visible(rows [][]string, head []string) [][]string {
	found := false
	out := [][]string{}
	for _, row := range rows {
		if trimHeading(strings.Join(row, "")) == "" {
			continue
		}
		for row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if found {
			out = append(out, row)
		}
		found = found || isHead(row, head)
	}
	return out
}

func isHead(row, head []string) bool {
	for i, cell := range row {
		if cell = trimHeading(cell); i < len(head) && cell != head[i] || i >= len(head) && cell != "" {
			return false
		}
	}
	return len(row) >= len(head)
}

// plain is our rows as text, whatever their codes.
func plain(r result) [][]string {
	var out [][]string
	for _, row := range r.rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, c.Text)
		}
		out = append(out, cells)
	}
	return out
}
