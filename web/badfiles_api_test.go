package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
)

func listDir(dir string) ([]os.DirEntry, error) { return os.ReadDir(dir) }

func gzipped(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(content))
	fine(t, err)
	fine(t, w.Close())
	return b.String()
}

// badFiles returns entries 1 to 8 and 10 to 14 of faults.md: files that contain no rows.
func badFiles(t *testing.T) []bad {
	book := workbook(t, "S", xmlRow("1", "SKU", "Name", "Price")+xmlRow("2", "A", "a", "1"))
	many := []string{"[Content_Types].xml", "<a/>"}
	for i := range 10_001 {
		many = append(many, fmt.Sprint("x", i), "")
	}
	in := func(parts ...string) string {
		return packed(t, append([]string{"[Content_Types].xml", "<a/>"}, parts...)...)
	}
	laughs := `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>`
	outside := `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet>&x;</worksheet>`
	const (
		empty, other, damaged = "EMPTY_FILE", "UNSUPPORTED_FORMAT", "DAMAGED_FILE"
		unsafe, bomb          = "UNSAFE_FILE", "ZIP_BOMB"
	)
	return []bad{
		{name: "1 empty", status: 422, code: empty, says: "empty"},
		{name: "1 blanks", content: "\ufeff \r\n\x00\x00", status: 422, code: empty, says: "empty"},
		{name: "2 header only", content: heads, status: 422, code: "NO_DATA_ROWS", says: "no rows of data"},
		{
			name: "2 header only in a workbook", status: 422, code: "NO_DATA_ROWS", says: "no rows of data",
			content: workbook(t, "S", xmlRow("1", "SKU", "Name", "Price")),
		},
		{name: "3 old Excel", content: ole("Workbook"), status: 415, code: "OLD_EXCEL_FORMAT", says: "save it as"},
		{
			name: "4 with a password", content: ole("EncryptedPackage"), status: 422,
			code: "PASSWORD_PROTECTED", says: "password",
		},
		{name: "5 xlsb", content: packed(t, "xl/workbook.bin", "x"), status: 415, code: other, says: "xlsb"},
		{name: "5 ods", content: packed(t, "content.xml", "x"), status: 415, code: other, says: "ods"},
		{name: "5 numbers", content: packed(t, "Index/Document.iwa", "x"), status: 415, code: other, says: "Numbers"},
		{name: "6 PDF", content: "%PDF-1.7\n%\xe2\xe3", status: 415, code: other, says: "PDF"},
		{name: "6 PNG", content: "\x89PNG\r\n\x1a\n\x00", status: 415, code: other, says: "PNG"},
		{name: "6 HTML", content: "<html><table><tr>", status: 415, code: other, says: "HTML"},
		{name: "6 zip of pictures", content: packed(t, "a.png", "\x89PNG\r\n"), status: 415, code: other, says: "PNG"},
		{name: "6 gzip of a PDF", content: gzipped(t, "%PDF-1.7\n"), status: 415, code: other, says: "PDF"},
		{
			name: "6 zip of several", content: packed(t, "a.csv", heads, "b.csv", heads), status: 422,
			code: "ARCHIVE_OF_SEVERAL_FILES", says: "a.csv",
		},
		{
			name: "7 SpreadsheetML 2003", status: 415, code: other, says: "2003",
			content: `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">`,
		},
		{name: "8 half a workbook", content: book[:len(book)/2], status: 422, code: damaged, says: "damaged"},
		{name: "8 a byte short", content: book[:len(book)-1], status: 422, code: damaged, says: "damaged"},
		{name: "8 half a gzip file", content: gzipped(t, rows(100))[:40], status: 422, code: damaged, says: "gzip"},
		{
			name: "10 a hundredfold", status: 413, code: bomb, says: "400 times",
			content: in("_rels/.rels", "<Relationships>"+strings.Repeat(" ", 8<<20)),
		},
		{name: "10 over the total", content: in("x", strings.Repeat("x", 20<<20)), status: 413, code: bomb, says: "MiB"},
		{name: "10 in gzip", content: gzipped(t, strings.Repeat("x", 8<<20)), status: 413, code: bomb, says: "gzip"},
		{name: "11 zip in zip", content: packed(t, "b.zip", packed(t, "a", "x")), status: 413, code: "NESTED_ARCHIVE"},
		{name: "11 10,000 entries", content: packed(t, many...), status: 413, code: bomb, says: "10000"},
		{name: "12 a name twice", content: in("a", "x", "a", "y"), status: 422, code: unsafe, says: "twice"},
		{name: "12 a name in other letters", content: in("a", "x", "A", "y"), status: 422, code: unsafe, says: "twice"},
		{name: "13 up and out", content: in("../x", "x"), status: 422, code: unsafe, says: "no spreadsheet program"},
		{name: "13 absolute", content: in("/etc/x", "x"), status: 422, code: unsafe, says: "no spreadsheet program"},
		{name: "13 backslash", content: in(`..\b`, "x"), status: 422, code: unsafe, says: "no spreadsheet program"},
		{name: "13 NUL", content: in("a\x00b", "x"), status: 422, code: unsafe, says: "no spreadsheet program"},
		{name: "13 out of an archive", content: packed(t, "../x.csv", heads), status: 422, code: unsafe, says: "no spreadsheet program"},
		{name: "14 billion laughs", content: in("xl/workbook.xml", laughs+"<a/>"), status: 422, code: unsafe, says: "type declaration"},
		{name: "14 a file of ours", content: in("xl/worksheets/sheet1.xml", outside), status: 422, code: unsafe, says: "type declaration"},
	}
}
