package xlsx_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// FuzzXLSX checks sheets and shared strings with any content: reading never panics, and no row that
// encoding/xml reads is lost. A part that is read to its end has all closing tags: without its last
// byte, it is refused.
func FuzzXLSX(f *testing.F) {
	good := uploads.NewWorkbook(uploads.TwoRows, "a", "b")
	f.Add(good[uploads.SheetPart], good["xl/sharedStrings.xml"])
	f.Add(uploads.Worksheet(uploads.Header+`<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1</f></c></row>`),
		"<sst><si><r><t>x</t></r></si></sst>")
	f.Add(`<?xml version="1.0"?><!-- > --><x:worksheet><x:sheetData/></x:worksheet>`, "<sst/>")
	f.Add(uploads.Worksheet(`<row><c t="inlineStr"><is><t>&#65;_x000D_</t></is></c></row>`), "")
	f.Fuzz(func(t *testing.T, sheet, texts string) {
		p := good.With(uploads.SheetPart, sheet).With("xl/sharedStrings.xml", texts)
		r := uploads.Read(p.Stored(t), source.Options{})
		if r.Err != nil {
			r.Problem(t) // never an error of another kind
			return
		}
		for _, name := range []string{uploads.SheetPart, "xl/sharedStrings.xml"} {
			cut := strings.TrimRight(p[name], " \t\r\n")
			if strings.HasSuffix(cut, "-->") || strings.HasSuffix(cut, "?>") {
				continue // a comment or instruction after the root may be missing
			}
			if r := uploads.Read(p.With(name, cut[:len(cut)-1]).Stored(t), source.Options{}); r.Err == nil {
				t.Errorf("%s reads to its end without its last byte: %q", name, cut)
			}
		}
		if n, ok := valueRows(sheet); ok && n > len(r.Rows)+r.Table.HeaderRow {
			t.Errorf("encoding/xml sees %d rows with values, we read %d below row %d",
				n, len(r.Rows), r.Table.HeaderRow)
		}
	})
}

// valueRows counts the rows with a <v> that contains visible text. It returns false if encoding/xml
// refuses the sheet.
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
			full = full || inValue && tabular.TrimHeading(string(tok)) != ""
		case xml.EndElement:
			inValue = false
			if tok.Name.Local == "row" && full {
				n++
			}
		}
	}
}

// FuzzContainer checks that reading panics at no file, and that errors have a text for users.
func FuzzContainer(f *testing.F) {
	f.Add(uploads.NewWorkbook(uploads.TwoRows, "a").Zip(f))
	f.Add(uploads.NewWorkbook(uploads.TwoRows, "a").Stored(f))
	f.Add([]byte(uploads.OLEMagic))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r := uploads.Read(data, source.Options{Limits: tabular.Limits{Unzipped: 4 << 20}}); r.Err != nil {
			r.Problem(t)
		}
	})
}
