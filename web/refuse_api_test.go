package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/web"
)

// packed returns a zip file of parts, given as names and contents.
func packed(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		fine(t, err)
		_, err = w.Write([]byte(parts[i+1]))
		fine(t, err)
	}
	fine(t, z.Close())
	return b.String()
}

const (
	spreadsheet = `"http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relation    = `"http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	relations   = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
)

// workbook returns a workbook of the given sheets, as names and rows in XML.
func workbook(t testing.TB, sheets ...string) string {
	t.Helper()
	parts := []string{
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels", relations + `<Relationship Id="r" Type=` + relation + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	}
	list, rels := "", ""
	for i := 0; i < len(sheets); i += 2 {
		n := string(rune('1' + i/2))
		list += `<sheet name="` + sheets[i] + `" sheetId="` + n + `" r:id="r` + n + `"/>`
		rels += `<Relationship Id="r` + n + `" Type=` + relation + `/worksheet" Target="worksheets/sheet` + n + `.xml"/>`
		parts = append(parts, "xl/worksheets/sheet"+n+".xml",
			`<worksheet xmlns=`+spreadsheet+`><sheetData>`+sheets[i+1]+`</sheetData></worksheet>`)
	}
	return packed(t, append(parts,
		"xl/workbook.xml", `<workbook xmlns=`+spreadsheet+` xmlns:r=`+relation+`"><sheets>`+list+`</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relations+rels+`</Relationships>`)...)
}

// xmlRow returns a row of texts as XML.
func xmlRow(n string, cells ...string) string {
	row := `<row r="` + n + `">`
	for i, c := range cells {
		row += `<c r="` + string(rune('A'+i)) + n + `" t="inlineStr"><is><t>` + c + `</t></is></c>`
	}
	return row + "</row>"
}

func ole(stream string) string {
	text := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 2000)
	for _, u := range utf16.Encode([]rune(stream)) {
		text += string([]byte{byte(u), byte(u >> 8)})
	}
	return text
}

// TestRefusedFiles: the response to each file has the right status, a code and a plain text. Nothing is stored.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) {
		o.MaxUpload = 1 << 20
		o.Limits = tabular.Limits{Unzipped: 1 << 20}
	})
	book, err := os.ReadFile("../testdata/products.xlsx")
	fine(t, err)
	good := xmlRow("1", "SKU", "Name", "Price") + xmlRow("2", "A", "a", "1")
	bomb := packed(t, "[Content_Types].xml", "<a/>", "xl/workbook.xml", strings.Repeat("x", 4<<20))
	nested := packed(t, "book.zip", packed(t, "book.xlsx", string(book)))
	tests := []struct {
		name, file, content string
		status              int
		code, says          string
	}{
		{"empty", "a.csv", "", 422, "EMPTY_FILE", "empty. Choose a file with headings and rows"},
		{"blanks", "a.csv", "\ufeff \r\n\r\n", 422, "EMPTY_FILE", "empty. Choose a file with headings and rows"},
		{"header only", "a.csv", heads, 422, "NO_DATA_ROWS", "Add rows"},
		{"header only in a workbook", "a.xlsx", workbook(t, "S", xmlRow("1", "SKU", "Name", "Price")), 422, "NO_DATA_ROWS", ""},
		{"old Excel", "a.xls", ole("Workbook"), 415, "OLD_EXCEL_FORMAT", "save it as"},
		{"old Excel called xlsx", "a.xlsx", ole("Workbook"), 415, "OLD_EXCEL_FORMAT", "save it as"},
		{"with a password", "a.xlsx", ole("EncryptedPackage"), 422, "PASSWORD_PROTECTED", "password"},
		{"PDF", "a.xlsx", "%PDF-1.7\n%\xe2\xe3", 415, "UNSUPPORTED_FORMAT", "PDF"},
		{"picture", "a.csv", "\x89PNG\r\n\x1a\n\x00", 415, "UNSUPPORTED_FORMAT", "PNG"},
		{"web page", "a.xls", "<html><table><tr>", 415, "UNSUPPORTED_FORMAT", "HTML"},
		{"gzip cut off", "a.csv.gz", "\x1f\x8b\x08\x00", 422, "DAMAGED_FILE", "gzip"},
		{"SpreadsheetML", "a.xls", `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">`, 415, "UNSUPPORTED_FORMAT", "2003"},
		{"xlsb", "a.xlsb", packed(t, "xl/workbook.bin", "x"), 415, "UNSUPPORTED_FORMAT", "xlsb"},
		{"ods", "a.ods", packed(t, "content.xml", "x"), 415, "UNSUPPORTED_FORMAT", "OpenDocument"},
		{"numbers", "a.numbers", packed(t, "Index/Document.iwa", "x"), 415, "UNSUPPORTED_FORMAT", "Numbers"},
		{"zip in zip", "a.xlsx", nested, 413, "NESTED_ARCHIVE", "packed file"},
		{"zip of two", "a.zip", packed(t, "a.csv", "x", "b.csv", "y"), 422, "ARCHIVE_OF_SEVERAL_FILES", `\"a.csv\", \"b.csv\"`},
		{"JSON of one line that is none", "a.csv", `{"sku":"a"`, 422, "MALFORMED_JSON", "well-formed"},
		{"truncated", "a.xlsx", string(book[:len(book)/2]), 422, "DAMAGED_FILE", "damaged"},
		{"one byte short", "a.xlsx", string(book[:len(book)-1]), 422, "DAMAGED_FILE", "damaged"},
		{"zip bomb", "a.xlsx", bomb, 413, "ZIP_BOMB", ""},
		{"twice the same part", "a.xlsx", packed(t, "[Content_Types].xml", "<a/>", "xl/workbook.xml", "<a/>", "xl/Workbook.xml", "<a/>"), 422, "UNSAFE_FILE", ""},
		{"path out of the zip", "a.xlsx", packed(t, "[Content_Types].xml", "<a/>", "../../x", "<a/>"), 422, "UNSAFE_FILE", ""},
		{"only in the second sheet", "a.xlsx", workbook(t, "Empty", "", "Full", good), 422, "EMPTY_SHEET", `\"Full\" holds data`},
		{"duplicate headers", "a.csv", "SKU,Name,Price,s k u\nA,a,1,x\n", 422, "DUPLICATE_HEADER", `"column":"D"`},
		{"missing column", "a.csv", "SKU,Nmae,Price\nA,a,1\n", 422, "MISSING_COLUMN", `Did you mean \"Nmae\"?`},
		{"two missing columns", "a.csv", "SKU,x\nA,a\n", 422, "MISSING_COLUMN", "Name, Price"},
		{"two columns for one field", "a.csv", "Code,SKU,Name,Price\nA,B,a,1\n", 422, "DUPLICATE_HEADER", `\"Code\" and \"SKU\" both mean SKU`},
		{"no headings", "a.csv", "1,2\n3,4\n", 422, "HEADER_NOT_FOUND", "headings"},
		{"9,074 columns", "a.csv", strings.Repeat("h,", 9073) + "h\n1\n", 413, "TOO_MANY_COLUMNS", "200"},
		{"stray quote", "a.csv", heads + "A,\"x\n2,3\n4,\"y\",5\n", 422, "STRAY_QUOTE", "line 2"},
		{"letters of two readings", "a.csv", heads + "A,ru\xe8ka,1\n", 422, "UNKNOWN_ENCODING", `"choices":["windows-1252","windows-1250"`},
		{"over the limit", "a.csv", rows(60_000), 413, "FILE_TOO_LARGE", "1 MB"},
		{"far over the limit", "a.csv", strings.Repeat(rows(60_000), 4), 413, "FILE_TOO_LARGE", "1 MB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := l.in(t)
			r := l.upload(tt.file, tt.content, "")
			r.refuses(tt.status, tt.code, tt.says)
			l.nothingLeft()
		})
	}
	if text := l.log.String(); text != "" {
		t.Errorf("what people send wrongly is no fault of ours, but was logged: %s", text)
	}
}

// TestRefusedForms tests broken forms, and wrong fields.
func TestRefusedForms(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	kind, csv := field("kind", "products.import"), file("a.csv", rows(2))
	long := strings.Repeat("x", 70_000)
	tests := []struct {
		name, body string
		status     int
		code, says string
	}{
		{"no file", form(kind), 400, "FILE_MISSING", `"pointer":"/file"`},
		{"nothing", form(), 400, "FILE_MISSING", ""},
		{"no parts at all", "", 400, "MALFORMED_BODY", ""},
		{"two files", form(kind, csv, csv), 400, "SEVERAL_FILES", "one file"},
		{"two files, no kind", form(csv, csv), 400, "SEVERAL_FILES", ""},
		{"a file under another name", form(kind, strings.Replace(csv, `"file"`, `"upload"`, 1)), 400, "UNEXPECTED_FILE", "upload"},
		{"a part without a name", form(kind, csv, "--frontier\r\nContent-Disposition: form-data\r\n\r\nx\r\n"), 400, "INVALID_FIELD", "no name"},
		{"a part without headers", form(kind, csv, "--frontier\r\n\r\nx\r\n"), 400, "INVALID_FIELD", "no name"},
		{"a file part without a name", form(kind, "--frontier\r\nContent-Disposition: form-data; filename=\"a.csv\"\r\n\r\nx\r\n"), 400, "UNEXPECTED_FILE", ""},
		{"broken headers of a part", form(kind, "--frontier\r\nContent-Disposition form-data\r\n\r\nx\r\n"), 400, "MALFORMED_BODY", ""},
		{"cut off behind the file", strings.TrimSuffix(form(kind, csv), "--frontier--\r\n"), 400, "MALFORMED_BODY", ""},
		{"cut off in the file", form(kind, csv)[:200], 400, "MALFORMED_BODY", "cut off"},
		{"another boundary", strings.ReplaceAll(form(kind, csv), "frontier", "border"), 400, "MALFORMED_BODY", ""},
		{"no kind", form(csv), 422, "KIND_MISSING", `"pointer":"/kind"`},
		{"unknown kind", form(field("kind", "no.such"), csv), 422, "UNKNOWN_KIND", "products.import"},
		{"unknown kind behind the file", form(csv, field("kind", "no.such")), 422, "UNKNOWN_KIND", "products.import"},
		{"kind of odd bytes", form(field("kind", "\xff\x00"), csv), 422, "UNKNOWN_KIND", ""},
		{"kind twice", form(kind, kind, csv), 400, "INVALID_FIELD", "twice"},
		{"a huge field", form(kind, field("options", long), csv), 400, "INVALID_FIELD", "too long"},
		{"a huge field nobody knows", form(kind, field("x", long), csv), 400, "INVALID_FIELD", "too long"},
		{"many parts", form(manyFields(25)), 400, "TOO_MANY_PARTS", "20"},
		{"a long name", form(kind, field("name", strings.Repeat("é", 256)), csv), 422, "INVALID_NAME", "255"},
		{"a name with NUL", form(kind, field("name", "a\x00b"), csv), 422, "INVALID_NAME", ""},
		{"a name of two lines", form(kind, field("name", "a\r\nb"), csv), 422, "INVALID_NAME", ""},
		{"a name of odd bytes", form(kind, field("name", "a\xff"), csv), 422, "INVALID_NAME", `"pointer":"/name"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := l.in(t)
			r := l.call(http.MethodPost, "/api/v1/tasks", tt.body, "Content-Type", multipartType)
			r.refuses(tt.status, tt.code, tt.says)
			l.nothingLeft()
		})
	}
	for _, header := range [][2]string{
		{"Content-Type", "application/json"},
		{"Content-Type", "multipart/form-data"},
		{"Content-Type", ""},
		{"Content-Type", "multipart/form-data; boundary="},
		{"Content-Type", "multipart/mixed; boundary=frontier"},
		{"Content-Type", "application/x-www-form-urlencoded"},
		{"Content-Type", "a/b/c; ="},
		{"Content-Type", "multipart/form-data; boundary=" + strings.Repeat("a", 71)},
	} {
		r := l.call(http.MethodPost, "/api/v1/tasks", form(kind, csv), header[0], header[1])
		if r.status != 400 && r.status != 415 {
			t.Errorf("%v: %d", header, r.status)
		}
		l.nothingLeft()
	}
	r := l.call(http.MethodPost, "/api/v1/tasks", form(kind, csv), "Content-Type", multipartType, "Content-Encoding", "gzip")
	r.refuses(415, "UNSUPPORTED_ENCODING")
	l.nothingLeft()
}

func manyFields(n int) string {
	text := ""
	for i := range n {
		text += field("f"+string(rune('a'+i)), "")
	}
	return text
}

// TestOptions: impossible options are refused, and omitted columns are named.
func TestOptions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	deep := strings.Repeat(`{"labels":`, 5000) + "1" + strings.Repeat("}", 5000)
	tests := []struct{ name, options, says string }{
		{"no JSON", "sheet=1", "JSON object"},
		{"a list", "[]", "JSON object"},
		{"null", "null", "JSON object"},
		{"cut off", `{"sheet":"a`, "well-formed"},
		{"two objects", `{} {}`, "nothing behind it"},
		{"rubbish behind", `{}}`, "nothing behind it"},
		{"odd bytes", "{\"sheet\":\"\xff\"}", "JSON object"},
		{"unknown", `{"shet":"a"}`, `"pointer":"/options/shet"`},
		{"no mode", `{"mode":"some"}`, `"pointer":"/options/mode"`},
		{"no way with invalid rows", `{"on_invalid":"drop"}`, `"pointer":"/options/on_invalid"`},
		{"no way with duplicates", `{"duplicates":"merge"}`, `"pointer":"/options/duplicates"`},
		{"no such key", `{"key_column":"Colour"}`, `"pointer":"/options/key_column"`},
		{"limits are not the caller's", `{"Limits":{"Rows":1}}`, "/options/Limits"},
		{"name is not an option", `{"Name":"x"}`, "/options/Name"},
		{"twice", `{"sheet":"a","sheet":"b"}`, "occurs twice"},
		{"twice in other letters", `{"sheet":"a","Sheet":"b"}`, "occurs twice"},
		{"twice inside", `{"labels":{"a":"1","a":"2"}}`, "occurs twice"},
		{"deep", deep, "too deeply"},
		{"wrong type", `{"header_row":"two"}`, `"pointer":"/options/header_row"`},
		{"wrong type inside", `{"labels":{"a":1}}`, "/options/labels"},
		{"a number without end", `{"priority":1e999}`, "/options/priority"},
		{"half a row", `{"header_row":1.5}`, "/options/header_row"},
		{"a row before the first", `{"header_row":-1}`, "from 1"},
		{"a row behind the last", `{"header_row":1048577}`, "1048576"},
		{"too important", `{"priority":1001}`, "-1000 to 1000"},
		{"label with NUL", `{"labels":{"a":"\u0000"}}`, "/options/labels"},
		{"label without a name", `{"labels":{"":"x"}}`, "/options/labels"},
		{"too many labels", manyLabels(51), "at most 50"},
		{"no character set", `{"encoding":"klingon"}`, "/options/encoding"},
		{"a character set that reads nothing", `{"encoding":"hz-gb-2312"}`, "/options/encoding"},
		{"two delimiters", `{"delimiter":";;"}`, "/options/delimiter"},
		{"a letter for a delimiter", `{"delimiter":"x"}`, "/options/delimiter"},
		{"no such field", `{"mapping":{"SKU":"Colour"}}`, `no column \"Colour\"`},
		{"no such heading", `{"mapping":{"Colour":"Name"}}`, `no heading \"Colour\"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := l.in(t)
			r := l.upload("a.csv", "SKU,Name,Price,Aisle\nA,a,1,7\n", tt.options)
			r.refuses(422, "INVALID_OPTIONS", tt.says)
			l.nothingLeft()
		})
	}
	two := "Title,of,it\n\nSKU,Name,Price,Aisle\nA,a,1,7\n"
	l.upload("a.csv", two, `{"header_row":2}`).refuses(422, "HEADER_NOT_FOUND", "Row 2")
	l.upload("a.csv", two, `{"header_row":9}`).refuses(422, "HEADER_NOT_FOUND", "Row 9")
	book := workbook(t, "One", xmlRow("1", "x", "y")+xmlRow("2", "1", "2"),
		"Two", xmlRow("3", "SKU", "Title", "Price")+xmlRow("4", "A", "a", "1"))
	l.upload("a.xlsx", book, `{"sheet":"Three"}`).refuses(422, "SHEET_NOT_FOUND", `\"One\", \"Two\"`)
	l.upload("a.xlsx", book, `{"sheet":"Two"}`).refuses(422, "MISSING_COLUMN", "Name")
	l.nothingLeft()
	id := l.accepted("a.xlsx", book, `{"sheet":"Two","header_row":3,"mapping":{"Title":"name"}}`)
	l.split()
	list, _ := l.look("/api/v1/tasks/" + id + "/events").items()
	if len(list) != 1 || list[0]["row"] != 4.0 || list[0]["sheet"] != "Two" ||
		list[0]["params"].(map[string]any)["Name"] != "a" {
		t.Errorf("with sheet, header_row and mapping: %v", list)
	}
	both := "SKU,Code,Name,Price\nA,B,a,1\n"
	l.upload("a.csv", both, `{"mapping":{"Code":"SKU"}}`).refuses(422, "DUPLICATE_HEADER", "both mean SKU")
	id = l.accepted("a.csv", both, `{"mapping":{"SKU":"","Code":"SKU"}}`)
	l.split()
	result := l.look("/api/v1/tasks/" + id + "/result?format=csv").body
	if list, _ := l.look("/api/v1/tasks/" + id + "/events").items(); list[0]["key"] != "B" ||
		!strings.Contains(result, "\nA,B,a,1,2,enqueue") {
		t.Errorf("with another column for SKU: %v, %s", list, result)
	}
	id = l.accepted("a.csv", two, `{"header_row":3,"mapping":{"Aisle":""},"labels":{}}`)
	l.split()
	list, _ = l.look("/api/v1/tasks/" + id + "/events").items()
	if len(list) != 1 || list[0]["row"] != 4.0 || list[0]["status"] != "enqueue" {
		t.Errorf("with header_row: %v", list)
	}
}

func manyLabels(n int) string {
	text := `{"labels":{`
	for i := range n {
		text += `"` + string(rune('一'+i)) + `":"x",`
	}
	return strings.TrimSuffix(text, ",") + "}}"
}

// TestBadRows: a bad row invalidates itself only, and has a reason.
func TestBadRows(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", heads+"A,a,1,Acme\nB,b,12.x,Acme\n,c,2,Acme\nD,d,0,Acme\n"+
		strings.Repeat("x", 65)+",e,1,Acme\nF,f\x00f,1,Acme\nG,g,1,Acme,more\nH,,,\nI,i,\x01,Acme\nJ,j,1,Acme\n", "")
	l.split()
	list, _ := l.look("/api/v1/tasks/" + id + "/errors").items()
	var got strings.Builder
	for _, e := range list {
		if e["message"] == nil || e["status"] != "failed" {
			t.Errorf("an error without words: %v", e)
		}
		value, _ := e["value"].(string)
		column, _ := e["column"].(string)
		got.WriteString(strings.Join([]string{fmt.Sprint(e["row"]), column, e["code"].(string), value[:min(len(value), 6)]}, " ") + "\n")
	}
	want := "3 Price INVALID_NUMBER 12.x\n4 SKU REQUIRED \n5 Price PRICE_NOT_POSITIVE 0\n6 SKU TOO_LONG xxxxxx\n" +
		"7 Name INVALID_CHARACTER f\ufffdf\n8  TOO_MANY_CELLS \n9 Name REQUIRED \n10 Price INVALID_CHARACTER \ufffd\n"
	if got.String() != want {
		t.Errorf("errors:\n%swant:\n%s", got.String(), want)
	}
	counts := l.look("/api/v1/tasks/" + id).object()["counts"].(map[string]any)
	if counts["total"] != 10.0 || counts["enqueue"] != 2.0 || counts["failed"] != 8.0 {
		t.Errorf("counts %v, want 2 of 10 rows to go on", counts)
	}
}
