package importers

import (
	"errors"
	"strings"
	"testing"
)

// TestRefusals: what is no importable file is named in plain words, whatever
// it is called.
func TestRefusals(t *testing.T) {
	t.Parallel()
	ole := oleMagic + strings.Repeat("\x00", 2000)
	one := func(name, text string) string { return string(parts{name: text}.zip(t)) }
	tests := []struct{ name, data, code, said string }{
		{"nothing", "", CodeEmptyFile, "empty"},
		{"blanks only", "\xEF\xBB\xBF \r\n\r\n", CodeEmptyFile, "empty"},
		{"delimiters only", ",,,\n,,\n", CodeEmptyFile, "no data"},
		{"an old workbook", ole + string(utf16le("Workbook")), CodeOldExcelFormat, "save it as"},
		{
			"an encrypted workbook", ole + string(utf16le("EncryptedPackage")),
			CodePasswordProtected, "password",
		},
		{"a PDF", "%PDF-1.7\n", CodeUnsupportedFormat, "PDF"},
		{"a picture", "\x89PNG\r\n\x1a\n", CodeUnsupportedFormat, "PNG"},
		{"a gzip file cut off", "\x1f\x8b\x08\x00", CodeDamagedFile, "gzip"},
		{"a web page", "<!DOCTYPE html><html><table>", CodeUnsupportedFormat, "HTML"},
		{"a table of a web page", "\r\n<TABLE><tr>", CodeUnsupportedFormat, "HTML"},
		{
			"SpreadsheetML",
			`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">`,
			CodeUnsupportedFormat, "XML Spreadsheet 2003",
		},
		{"JSON", `[{"a":1}]`, CodeUnsupportedFormat, "JSON"},
		{
			"bytes of no kind", strings.Repeat("\x01\x02\x03\x04abc", 100), CodeUnsupportedFormat,
			"neither",
		},
		{
			"a zip archive of two files", string(parts{"a.csv": "A,B\n1,2\n", "b/c.csv": "x"}.zip(t)),
			CodeSeveralFiles, `2 files: "a.csv", "b/c.csv"`,
		},
		{"a zip in a zip", one("book.xlsx", one("a", "b")), CodeNestedArchive, "inside of a packed file"},
		{"an OpenDocument", one("content.xml", "<a/>"), CodeUnsupportedFormat, ".ods"},
		{"a binary workbook", one("xl/workbook.bin", "x"), CodeUnsupportedFormat, ".xlsb"},
		{"a Numbers document", one("Index/Document.iwa", "x"), CodeUnsupportedFormat, "Numbers"},
		{"a Numbers document in a folder", one("Sales.numbers/Index.zip", "x"), CodeUnsupportedFormat, "Numbers"},
		{"a Numbers document of parts", one("Index/Tables/Tile.iwa", "x"), CodeUnsupportedFormat, "Numbers"},
		{"a SYLK file", "ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K\"A\"\r\nE\r\n", CodeUnsupportedFormat, "SYLK"},
		{"a Word document", one("word/document.xml", "<a/>"), CodeUnsupportedFormat, "Word"},
		{"UTF-32", "\xFF\xFE\x00\x00a\x00\x00\x00", CodeUnknownEncoding, "UTF-32"},
		{
			"letters that are Western or Czech", "A,B\n1,ru\xe8ka\n",
			CodeUnknownEncoding, `windows-1252 ("1,ruèka"), or windows-1250 ("1,ručka")`,
		},
		{
			"Shift-JIS", "\x8f\xa4\x95\x69\x96\xbc,\x89\xbf\x8a\x69\n\x90\xd4,5\n",
			CodeUnknownEncoding, "character set",
		},
		{"a header only", "SKU,Name\n\n ,\n", CodeNoDataRows, "no rows of data"},
		{
			"a header only in a workbook", string(newParts(header).zip(t)), CodeNoDataRows,
			"no rows of data",
		},
		{"an empty workbook", string(newParts("").zip(t)), CodeEmptyFile, "no data"},
		{"numbers only", strings.Repeat("1,2,3\n", 30), CodeHeaderNotFound, "headings"},
		{
			"more columns than allowed", strings.Repeat("h,", 9073) + "h\n1\n",
			CodeTooManyColumns, "200 columns",
		},
		{"a quote never closed", "A,B\n1,2\n3,\"x\n4,5\n", CodeUnclosedQuote, "line 3"},
		{"a quote closed far below", "A,B\n1,\"x\n2,3\n4,\"y\",5\n", CodeStrayQuote, "line 2"},
		{"a quote with a delimiter behind", "A,B\n1,\"5\" x, y\",2\n", CodeStrayQuote, "line 2"},
		{"a quote and a word at the end", "A,B\n1,\"x\"y", CodeStrayQuote, "line 2"},
	}
	for _, tt := range tests {
		for _, name := range []string{"upload.xlsx", "upload.csv"} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := readAll([]byte(tt.data), OpenOptions{Name: name}).problem(t)
				if p.Code != tt.code || !strings.Contains(p.Detail, tt.said) {
					t.Errorf("got %+v, want %s with %q", p, tt.code, tt.said)
				}
			})
		}
	}
}

// sheets makes a workbook of sheets; a state may follow the name after "|".
func sheets(rows map[string]string, names ...string) parts {
	p := newParts("")
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
		p["xl/worksheets/sheet"+n+".xml"] = worksheet(rows[name])
	}
	p["xl/_rels/workbook.xml.rels"] = rels(pairs...)
	p["xl/workbook.xml"] = `<workbook xmlns="` + nsMain + `" xmlns:r="` + nsRel + `"><sheets>` +
		list + `</sheets></workbook>`
	return p
}

func TestSheets(t *testing.T) {
	t.Parallel()
	full := map[string]string{"Full": twoRows, "More &amp; more": twoRows}
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
			"one that does not exist", "None", CodeSheetNotFound, `"Full", "Other" (hidden)`,
			[]string{"Full", "Other|hidden"},
		},
		{
			"none visible", "", CodeNoSheet, `"Full" (hidden), "C" (a chart)`,
			[]string{"Full|hidden", "C|chart"},
		},
		{"the first is empty", "", CodeEmptySheet, `"Full" holds data`, []string{"Other", "Full"}},
		{"all are empty", "", CodeEmptyFile, "no data", []string{"Other", "None"}},
		{"none at all", "", CodeNoSheet, "no sheets at all", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := readAll(sheets(full, tt.names...).zip(t), OpenOptions{Sheet: tt.ask})
			if tt.code == "" {
				if r.err != nil || r.src.Sheet != tt.said || len(r.rows) != 2 {
					t.Fatalf("read %+v, %v, want the rows of %s", r.src, r.err, tt.said)
				}
				return
			}
			if p := r.problem(t); p.Code != tt.code || !strings.Contains(p.Detail, tt.said) {
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
			r := readAll([]byte(tt.data), OpenOptions{HeaderRow: tt.ask})
			if r.err != nil {
				t.Fatal(r.err)
			}
			got := strings.Join(r.src.Header, ",") + "|" + strings.Join(r.texts()[0], ",")
			if got != tt.want || r.src.HeaderRow != tt.row {
				t.Errorf("got %q in row %d, want %q in row %d", got, r.src.HeaderRow, tt.want, tt.row)
			}
		})
	}
	for _, ask := range []int{2, 9} {
		p := readAll([]byte("A,B\n\n1,2\n"), OpenOptions{HeaderRow: ask}).problem(t)
		if p.Code != CodeHeaderNotFound || p.Row != ask {
			t.Errorf("header row %d: %+v, want %s", ask, p, CodeHeaderNotFound)
		}
	}
}

func TestRowLimit(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"A,B\n1,2\n3,4\n", string(newParts(twoRows).zip(t))} {
		if r := readAll([]byte(data), OpenOptions{Limits: Limits{Rows: 2}}); r.err != nil {
			t.Errorf("two rows of two: %v", r.err)
		}
		r := readAll([]byte(data), OpenOptions{Limits: Limits{Rows: 1}})
		if p := r.problem(t); p.Code != CodeTooManyRows || p.Row != 3 || len(r.rows) != 1 {
			t.Errorf("got %+v after %d rows, want %s at row 3", p, len(r.rows), CodeTooManyRows)
		}
	}
}

// failing is storage that breaks at a place.
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

// TestStorageFaultsAreNotBlamedOnTheFile: they are no Problem.
func TestStorageFaultsAreNotBlamedOnTheFile(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"A,B\n" + strings.Repeat("1,2\n", 100_000), string(newParts(twoRows).zip(t)),
	} {
		for _, from := range []int64{0, 100, 5000, 200_000} {
			if from >= int64(len(data)) {
				continue
			}
			s, err := Open(failing{data, from}, int64(len(data)), OpenOptions{})
			for err == nil {
				_, err = s.Next()
			}
			var p *Problem
			if errors.As(err, &p) || !errors.Is(err, errDisk) {
				t.Errorf("storage that fails from byte %d: %v, want errDisk", from, err)
			}
		}
		short := strings.NewReader(data[:len(data)-1])
		s, err := Open(short, int64(len(data)), OpenOptions{})
		for err == nil {
			_, err = s.Next()
		}
		var p *Problem
		if errors.As(err, &p) || !strings.Contains(err.Error(), "unexpected EOF") {
			t.Errorf("storage that is a byte short: %v, want unexpected EOF", err)
		}
	}
}

func TestCloseEndsReading(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("A,B\n1,2\n"), 8, OpenOptions{})
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
