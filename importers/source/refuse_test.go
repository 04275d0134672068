package source_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestRefusals: a file that cannot be imported is described in plain words, whatever its name is.
func TestRefusals(t *testing.T) {
	t.Parallel()
	ole := uploads.OLEMagic + strings.Repeat("\x00", 2000)
	one := func(name, text string) string { return string(uploads.Parts{name: text}.Zip(t)) }
	tests := []struct{ name, data, code, said string }{
		{"nothing", "", tabular.CodeEmptyFile, "empty"},
		{"blanks only", "\xEF\xBB\xBF \r\n\r\n", tabular.CodeEmptyFile, "empty"},
		{"delimiters only", ",,,\n,,\n", tabular.CodeEmptyFile, "no data"},
		{"an old workbook", ole + string(uploads.UTF16("Workbook")), tabular.CodeOldExcelFormat, "save it as"},
		{
			"an encrypted workbook", ole + string(uploads.UTF16("EncryptedPackage")),
			tabular.CodePasswordProtected, "password",
		},
		{"a PDF", "%PDF-1.7\n", tabular.CodeUnsupportedFormat, "PDF"},
		{"a picture", "\x89PNG\r\n\x1a\n", tabular.CodeUnsupportedFormat, "PNG"},
		{"a gzip file cut off", "\x1f\x8b\x08\x00", tabular.CodeDamagedFile, "gzip"},
		{"a web page", "<!DOCTYPE html><html><table>", tabular.CodeUnsupportedFormat, "HTML"},
		{"a table of a web page", "\r\n<TABLE><tr>", tabular.CodeUnsupportedFormat, "HTML"},
		{
			"SpreadsheetML",
			`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">`,
			tabular.CodeUnsupportedFormat, "XML Spreadsheet 2003",
		},
		{"JSON", `[{"a":1}]`, tabular.CodeUnsupportedFormat, "JSON"},
		{
			"bytes of no kind", strings.Repeat("\x01\x02\x03\x04abc", 100), tabular.CodeUnsupportedFormat,
			"neither",
		},
		{
			"a zip archive of two files", string(uploads.Parts{"a.csv": "A,B\n1,2\n", "b/c.csv": "x"}.Zip(t)),
			source.CodeSeveralFiles, `2 files: "a.csv", "b/c.csv"`,
		},
		{"a zip in a zip", one("book.xlsx", one("a", "b")), source.CodeNestedArchive, "inside of a packed file"},
		{"an OpenDocument", one("content.xml", "<a/>"), tabular.CodeUnsupportedFormat, ".ods"},
		{"a binary workbook", one("xl/workbook.bin", "x"), tabular.CodeUnsupportedFormat, ".xlsb"},
		{"a Numbers document", one("Index/Document.iwa", "x"), tabular.CodeUnsupportedFormat, "Numbers"},
		{"a Numbers document in a folder", one("Sales.numbers/Index.zip", "x"), tabular.CodeUnsupportedFormat, "Numbers"},
		{"a Numbers document of parts", one("Index/Tables/Tile.iwa", "x"), tabular.CodeUnsupportedFormat, "Numbers"},
		{"a SYLK file", "ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K\"A\"\r\nE\r\n", tabular.CodeUnsupportedFormat, "SYLK"},
		{"a Word document", one("word/document.xml", "<a/>"), tabular.CodeUnsupportedFormat, "Word"},
		{"UTF-32", "\xFF\xFE\x00\x00a\x00\x00\x00", tabular.CodeUnknownEncoding, "UTF-32"},
		{
			"letters that are Western or Czech", "A,B\n1,ru\xe8ka\n",
			tabular.CodeUnknownEncoding, `windows-1252 ("1,ruèka"), or windows-1250 ("1,ručka")`,
		},
		{
			"Shift-JIS", "\x8f\xa4\x95\x69\x96\xbc,\x89\xbf\x8a\x69\n\x90\xd4,5\n",
			tabular.CodeUnknownEncoding, "character set",
		},
		{"a header only", "SKU,Name\n\n ,\n", tabular.CodeNoDataRows, "no rows of data"},
		{
			"a header only in a workbook", string(uploads.NewWorkbook(uploads.Header).Zip(t)), tabular.CodeNoDataRows,
			"no rows of data",
		},
		{"an empty workbook", string(uploads.NewWorkbook("").Zip(t)), tabular.CodeEmptyFile, "no data"},
		{"numbers only", strings.Repeat("1,2,3\n", 30), tabular.CodeHeaderNotFound, "headings"},
		{
			"more columns than allowed", strings.Repeat("h,", 9073) + "h\n1\n",
			tabular.CodeTooManyColumns, "200 columns",
		},
		{
			"a value right of the last column, below a title", "Prices\nA,B\n1" + strings.Repeat(",", 300) + "2\n",
			tabular.CodeTooManyColumns, "3, but a file may have 200 columns",
		},
		{
			"values right of the last column, below two titles", "Prices\nMay\nA,B\n" + strings.Repeat("1,2"+strings.Repeat(",", 300)+"3\n", 3),
			tabular.CodeTooManyColumns, "4, but a file may have 200 columns",
		},
		{"a quote never closed", "A,B\n1,2\n3,\"x\n4,5\n", tabular.CodeUnclosedQuote, "line 3"},
		{"a quote closed far below", "A,B\n1,\"x\n2,3\n4,\"y\",5\n", tabular.CodeStrayQuote, "line 2"},
		{"a quote with a delimiter behind", "A,B\n1,\"5\" x, y\",2\n", tabular.CodeStrayQuote, "line 2"},
		{"a quote and a word at the end", "A,B\n1,\"x\"y", tabular.CodeStrayQuote, "line 2"},
	}
	for _, tt := range tests {
		for _, name := range []string{"upload.xlsx", "upload.csv"} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := uploads.Read([]byte(tt.data), source.Options{Name: name}).Problem(t)
				if p.Code != tt.code || !strings.Contains(p.Detail, tt.said) {
					t.Errorf("got %+v, want %s with %q", p, tt.code, tt.said)
				}
			})
		}
	}
}

// sheets makes a workbook with sheets. The state of a sheet may follow its name after "|".
func sheets(rows map[string]string, names ...string) uploads.Parts {
	p := uploads.NewWorkbook("")
	list, pairs := "", []string{}
	for i, name := range names {
		name, state, _ := strings.Cut(name, "|")
		n := string(rune('1' + i))
		list += `<sheet name="` + name + `" sheetId="` + n +
			`" state="` + state + `" r:id="rId` + n + `"/>`
		kind := "worksheet"
		if state == "chart" {
			kind = "chartsheet"
		}
		pairs = append(pairs, kind, "worksheets/sheet"+n+".xml")
		p["xl/worksheets/sheet"+n+".xml"] = uploads.Worksheet(rows[name])
	}
	p["xl/_rels/workbook.xml.rels"] = uploads.Rels(pairs...)
	p["xl/workbook.xml"] = `<workbook xmlns="` + uploads.NSMain + `" xmlns:r="` + uploads.NSRel + `"><sheets>` +
		list + `</sheets></workbook>`
	return p
}

func TestSheets(t *testing.T) {
	t.Parallel()
	full := map[string]string{"Full": uploads.TwoRows, "More &amp; more": uploads.TwoRows}
	tests := []struct {
		name, ask, code, said string
		names                 []string
	}{
		{"the first one", "", "", "Full", []string{"Full", "Other"}},
		{
			"the first visible one", "", "", "Full",
			[]string{"Other|hidden", "Secret|veryHidden", "Full"},
		},
		{"not a chart", "", "", "Full", []string{"Chart|chart", "Full"}},
		{"the one asked for", "Full", "", "Full", []string{"Other", "Full"}},
		{"the one asked for, hidden", "Full", "", "Full", []string{"Other", "Full|hidden"}},
		{"the one asked for in other letters", " full", "", "Full", []string{"Other", "Full"}},
		{"a name with an entity", "More & more", "", "More & more", []string{"More &amp; more"}},
		{
			"one that does not exist", "None", tabular.CodeSheetNotFound, `"Full", "Other" (hidden)`,
			[]string{"Full", "Other|hidden"},
		},
		{
			"none visible", "", tabular.CodeNoSheet, `"Full" (hidden), "C" (a chart)`,
			[]string{"Full|hidden", "C|chart"},
		},
		{"the first is empty", "", tabular.CodeEmptySheet, `"Full" holds data`, []string{"Other", "Full"}},
		{"all are empty", "", tabular.CodeEmptyFile, "no data", []string{"Other", "None"}},
		{"none at all", "", tabular.CodeNoSheet, "no sheets at all", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read(sheets(full, tt.names...).Zip(t), source.Options{Sheet: tt.ask})
			if tt.code == "" {
				if r.Err != nil || r.Table.Sheet != tt.said || len(r.Rows) != 2 {
					t.Fatalf("read %+v, %v, want the rows of %s", r.Table, r.Err, tt.said)
				}
				return
			}
			if p := r.Problem(t); p.Code != tt.code || !strings.Contains(p.Detail, tt.said) {
				t.Errorf("got %+v, want %s with %q", p, tt.code, tt.said)
			}
		})
	}
}

func TestHeaderIsFound(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, data string
		ask, row   int
		want       string // header|first row
	}{
		{"on line 1", "A,B\n1,2\n", 0, 1, "A,B|1,2"},
		{"below titles", "Prices\n\nSpring\nA,B\n1,2\n", 0, 4, "A,B|1,2"},
		{"below numbers", "1,2\n2024,7\nA,B\n1,2\n", 0, 3, "A,B|1,2"},
		{"below a comment", "# made by us, for you\nA,B\n1,2\n", 0, 2, "A,B|1,2"},
		{"with a number sign of its own", "#,Name\n1,2\n", 0, 1, "#,Name|1,2"},
		{"without what is invisible", "\xEF\xBB\xBF\u200b A\u00a0,\tB \n1,2\n", 0, 1, "A,B|1,2"},
		{"without blanks behind", "A,B,, \n1,2,3\n", 0, 1, "A,B|1,2,3"},
		{"where asked", "T,U\nA,B\n1,2\n", 2, 2, "A,B|1,2"},
		{"of a single column", "SKU\nx\ny\n", 0, 1, "SKU|x"},
		{"of a single column with bare CR", "SKU\rx\ry", 0, 1, "SKU|x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read([]byte(tt.data), source.Options{HeaderRow: tt.ask})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			got := strings.Join(r.Table.Header, ",") + "|" + strings.Join(r.Texts()[0], ",")
			if got != tt.want || r.Table.HeaderRow != tt.row {
				t.Errorf("got %q in row %d, want %q in row %d", got, r.Table.HeaderRow, tt.want, tt.row)
			}
		})
	}
	for _, ask := range []int{2, 9} {
		p := uploads.Read([]byte("A,B\n\n1,2\n"), source.Options{HeaderRow: ask}).Problem(t)
		if p.Code != tabular.CodeHeaderNotFound || p.Row != ask {
			t.Errorf("header row %d: %+v, want %s", ask, p, tabular.CodeHeaderNotFound)
		}
	}
}

func TestRowLimit(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"A,B\n1,2\n3,4\n", string(uploads.NewWorkbook(uploads.TwoRows).Zip(t))} {
		if r := uploads.Read([]byte(data), source.Options{Limits: tabular.Limits{Rows: 2}}); r.Err != nil {
			t.Errorf("two rows of two: %v", r.Err)
		}
		r := uploads.Read([]byte(data), source.Options{Limits: tabular.Limits{Rows: 1}})
		if p := r.Problem(t); p.Code != tabular.CodeTooManyRows || p.Row != 3 || len(r.Rows) != 1 {
			t.Errorf("got %+v after %d rows, want %s at row 3", p, len(r.Rows), tabular.CodeTooManyRows)
		}
	}
}

// failing is storage that fails at an offset.
type failing struct {
	data string
	from int64
}

var errDisk = errors.New("disk on fire")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return strings.NewReader(f.data).ReadAt(p, off)
}

// TestStorageFaultsAreNotBlamedOnTheFile: errors of the storage are no Problem.
func TestStorageFaultsAreNotBlamedOnTheFile(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"A,B\n" + strings.Repeat("1,2\n", 100_000), string(uploads.NewWorkbook(uploads.TwoRows).Zip(t)),
	} {
		for _, from := range []int64{0, 100, 5000, 200_000} {
			if from >= int64(len(data)) {
				continue
			}
			s, err := source.Open(failing{data, from}, int64(len(data)), source.Options{})
			for err == nil {
				_, err = s.Next()
			}
			var p *tabular.Problem
			if errors.As(err, &p) || !errors.Is(err, errDisk) {
				t.Errorf("storage that fails from byte %d: %v, want errDisk", from, err)
			}
		}
		short := strings.NewReader(data[:len(data)-1])
		s, err := source.Open(short, int64(len(data)), source.Options{})
		for err == nil {
			_, err = s.Next()
		}
		var p *tabular.Problem
		if errors.As(err, &p) || !strings.Contains(err.Error(), "unexpected EOF") {
			t.Errorf("storage that is a byte short: %v, want unexpected EOF", err)
		}
	}
}

func TestCloseEndsReading(t *testing.T) {
	t.Parallel()
	s, err := source.Open(strings.NewReader("A,B\n1,2\n"), 8, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Errorf("Close twice: %v", err)
	}
	if _, err := s.Next(); err == nil {
		t.Error("Next after Close gave a row")
	}
}
