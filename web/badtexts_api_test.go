package web_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/htmlindex"
)

// coded returns a text in another character set.
func coded(t testing.TB, charset, text string) string {
	t.Helper()
	enc, err := htmlindex.Get(charset)
	fine(t, err)
	out, err := enc.NewEncoder().String(text)
	fine(t, err)
	return out
}

// badHeaders returns entries 27 and 29 to 33 of faults.md: headings that are missing, repeated or misplaced.
func badHeaders() []bad {
	const row = "A,a,1\n"
	return []bad{
		{name: "27 twice", content: "SKU,Name,Price,SKU\nA,a,1,x\n", status: 422, code: "DUPLICATE_HEADER", says: `A (\"SKU\") and D`},
		{name: "27 twice but for case and blanks", content: "SKU,Name,Price, s\u00a0k U\nA,a,1,x\n", status: 422, code: "DUPLICATE_HEADER", says: `"column":"D"`},
		{name: "29 a required column missing", content: "SKU,Nmae,Price\n" + row, status: 422, code: "MISSING_COLUMN", says: `Did you mean \"Nmae\"?`},
		{name: "30 an unknown column", content: "SKU,Name,Price,Aisle\nA,a,1,7\n", status: 202, rows: "2 a"},
		{name: "31 below a title", content: "Price list\n\nSKU,Name,Price\n" + row, status: 202, rows: "4 a"},
		{name: "31 below a title of several cells", content: "Price list,,May\nFirm,Acme\nSKU,Name,Price\n" + row, status: 202, rows: "4 a"},
		{name: "31 below comments", content: "# of May\n# by us, for you\nSKU,Name,Price\n" + row, status: 202, rows: "4 a"},
		{name: "31 too far below", content: strings.Repeat("7,8\n", 20) + "SKU,Name,Price\n" + row, status: 422, code: "HEADER_NOT_FOUND", says: "choose their row"},
		{name: "31 too far below, but told", content: strings.Repeat("7,8\n", 20) + "SKU,Name,Price\n" + row, options: `{"header_row":21}`, status: 202, rows: "22 a"},
		{name: "32 a mark before the first heading", content: "\ufeffSKU,Name,Price\n" + row, status: 202, rows: "2 a"},
		{name: "32 a mark and quotes", content: "\ufeff\"SKU\",Name,Price\n" + row, status: 202, rows: "2 a"},
		{name: "33 9,074 columns", content: strings.Repeat("h,", 9073) + "h\n1\n", status: 413, code: "TOO_MANY_COLUMNS", says: "200 columns"},
	}
}

// badTexts returns entries 34 to 44 of faults.md: character sets, line ends, quotes.
func badTexts(t *testing.T) []bad {
	table := func(name string) string { return "SKU;Name;Price\nA;" + name + ";1\nB;b;2\n" }
	cyrillic := table("Молоко пастеризованное")
	wide := func(text string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(text)) {
			b.WriteString(string([]byte{byte(u), byte(u >> 8)}))
		}
		return b.String()
	}
	const unclosed, stray = "UNCLOSED_QUOTE", "STRAY_QUOTE"
	return []bad{
		{name: "34 UTF-16", content: "\xFF\xFE" + wide(cyrillic), status: 202, rows: "2 Молоко пастеризованное; 3 b"},
		{name: "34 UTF-16 without a mark", content: wide(table("Käse")), status: 202, rows: "2 Käse; 3 b"},
		{name: "34 windows-1252", content: coded(t, "windows-1252", table("Weiße Brötchen")), status: 202, rows: "2 Weiße Brötchen; 3 b"},
		{name: "34 windows-1250", content: coded(t, "windows-1250", table("Żółć i gęś")), status: 202, rows: "2 Żółć i gęś; 3 b"},
		{name: "34 windows-1251", content: coded(t, "windows-1251", cyrillic), status: 202, rows: "2 Молоко пастеризованное; 3 b"},
		{name: "34 Greek", content: coded(t, "windows-1253", table("Ελαιόλαδο παρθένο")), status: 202, rows: "2 Ελαιόλαδο παρθένο; 3 b"},
		{name: "34 Shift-JIS", content: coded(t, "shift_jis", table("りんごジュースとノートパソコン")), status: 202, rows: "2 りんごジュースとノートパソコン; 3 b"},
		{name: "34 GB18030 of few signs", content: coded(t, "gb18030", table("名称")), status: 422, code: "UNKNOWN_ENCODING", says: "choices"},
		{name: "34 GB18030 as told", content: coded(t, "gb18030", table("名称")), options: `{"encoding":"gb18030"}`, status: 202, rows: "2 名称; 3 b"},
		{name: "34 of two readings", content: table("ru\xe8ka"), status: 422, code: "UNKNOWN_ENCODING", says: "ručka"},
		{name: "34 UTF-32", content: "\xFF\xFE\x00\x00S\x00\x00\x00", status: 422, code: "UNKNOWN_ENCODING", says: "UTF-32"},
		{name: "35 broken in the middle", content: heads + "A,äöü x\xffy,1,\nB,b,2,\n", status: 202, rows: "2 INVALID_ENCODING Name äöü x\ufffdy; 3 b"},
		{name: "36 NUL", content: heads + "A,a\x00,1,\nB,b,2,\n", status: 202, rows: "2 INVALID_CHARACTER Name a\ufffd; 3 b"},
		{name: "36 C0", content: heads + "A,a\x07,1,\nB,b,2,\n", status: 202, rows: "2 INVALID_CHARACTER Name a\ufffd; 3 b"},
		{name: "37 bare CR", content: "SKU,Name,Price\rA,a,1\rB,b,2\r", status: 202, rows: "2 a; 3 b"},
		{name: "38 mixed line ends", content: "SKU,Name,Price\r\nA,\"a\nb\",1\nB,b,2\r\nC,c,x\r", status: 202, rows: "2 a b; 4 b; 5 INVALID_NUMBER Price x"},
		{name: "39 a stray quote", content: heads + "A,5\" screw,1,\nB,b,2,\n", status: 202, rows: `2 5" screw; 3 b`},
		{name: "39 of two readings", content: heads + "A,\"5\" x, y\",1,\nB,b,2,\n", status: 422, code: stray, says: "line 2"},
		{name: "40 never closed", content: heads + "A,\"a,1,\nB,b,2,\n", status: 422, code: unclosed, says: "line 2"},
		{name: "40 never closed, below", content: heads + "A,a,1,\nB,\"b,2,\nC,c,3,\n", status: 202, code: unclosed, says: "line 3", rows: "2 a"},
		{name: "41 semicolons", content: "SKU;Name;Price\nA;a,b;1\n", status: 202, rows: "2 a,b"},
		{name: "41 tabs", content: "SKU\tName\tPrice\nA\ta,b\t1\n", status: 202, rows: "2 a,b"},
		{name: "41 bars", content: "SKU|Name|Price\nA|a,b|1\n", status: 202, rows: "2 a,b"},
		{name: "41 as told", content: "SKU^Name^Price\nA^a,b^1\n", options: `{"delimiter":"^"}`, status: 202, rows: "2 a,b"},
		{name: "42 ragged", content: heads + "A,a,1,\nB,b,2\nC,c,3,Acme,more\n", status: 202, rows: "2 a; 3 TOO_FEW_CELLS; 4 TOO_MANY_CELLS"},
		{name: "43 a cell of 32,768", content: heads + "A," + strings.Repeat("x", 32768) + ",1,\nB,b,2,\n", status: 202, rows: "2 TOO_LONG Name " + strings.Repeat("x", 40) + "; 3 b"},
		{
			name: "44 signs that are not seen", status: 202, rows: "2 a\u200b\u202eb; 3 e\u0301; 4 é; 5 😀𝔘",
			content: heads + "A,a\u200b\u202eb,1,\nB,e\u0301,1,\nC,é,1,\nD,😀𝔘,1,\n",
		},
	}
}

// badValues returns entries 45 to 47 and 49 to 54 of faults.md: cells whose meaning differs from their look.
func badValues(t *testing.T) []bad {
	cell := func(xml string) string {
		return goods(t, `<row r="2"><c r="A2"><v>1</v></c>`+xml+`<c r="C2"><v>1</v></c></row>`)
	}
	value := func(price string) string { return "SKU;Name;Price\nA;a;\"" + price + "\"\n" }
	hostile := []string{
		"'; DROP TABLE tasks; --", "<script>alert(1)</script>", "{{7*7}}", "${jndi:ldap://x}", "=1+1", "%s%n", "../../x",
	}
	list := []bad{
		{name: "45 zeros in front", content: "SKU,Name,Price\n007,007,1\n", status: 202, rows: "2 007"},
		{name: "45 seventeen digits", content: cell(`<c r="B2"><v>12345678901234567</v></c>`), status: 202, rows: "2 12345678901234567"},
		{name: "46 a day that never was", content: "SKU,Name,Price,Start\nA,a,1,31/02/2024\n", status: 202, rows: "2 INVALID_DATE Start 31/02/2024"},
		{name: "47 1.234,56", content: value("1.234,56"), status: 202, rows: "2 a", warns: "decimal comma"},
		{name: "47 NaN", content: value("NaN"), status: 202, rows: "2 INVALID_NUMBER Price NaN"},
		{name: "47 INF", content: value("INF"), status: 202, rows: "2 INVALID_NUMBER Price INF"},
		{name: "47 a number without end", content: value("1e999999999"), status: 202, rows: "2 INVALID_NUMBER Price 1e999999999"},
		{name: "49 #N/A", content: cell(`<c r="B2" t="e"><v>#N/A</v></c>`), status: 202, rows: "2 FORMULA_ERROR Name #N/A"},
		{name: "49 #REF! in text", content: value("#REF!"), status: 202, rows: "2 FORMULA_ERROR Price #REF!"},
		{name: "50 a formula without a result", content: cell(`<c r="B2"><f>1+1</f></c>`), status: 202, rows: "2 FORMULA_NOT_CALCULATED Name"},
		{name: "51 merged cells", content: noticed(t, "</sheetData>", `</sheetData><mergeCells><mergeCell ref="A2:B2"/></mergeCells>`), status: 202, rows: "2 a", warns: "first of them only"},
		{name: "52 a hidden row", content: noticed(t, `<row r="2"`, `<row r="2" hidden="1"`), status: 202, rows: "2 a", warns: "rows are hidden: they are imported"},
		{name: "52 a hidden column", content: noticed(t, "<sheetData>", `<cols><col min="1" max="1" hidden="1"/></cols><sheetData>`), status: 202, rows: "2 a", warns: "columns are hidden: they are imported"},
		{name: "52 a filter", content: noticed(t, "</sheetData>", `</sheetData><autoFilter ref="A1:C2"/>`), status: 202, rows: "2 a", warns: "has a filter"},
		{name: "53 a key twice", content: "SKU,Name,Price\nA,a,1\nA,b,2\n", status: 202, rows: "2 a; 3 b"},
		{name: "53 a key twice, as an error", content: "SKU,Name,Price\nA,a,1\nA,b,2\n", options: `{"duplicates":"error"}`, status: 202, rows: "2 a; 3 DUPLICATE_KEY SKU A"},
		{name: "45 digits that are lost", content: "SKU,Name,Price\n1.23E+16,1.23E+16,1\n", status: 202, rows: "2 LOST_DIGITS SKU 1.23E+16"},
		{
			name: "45 digits that Excel has lost", status: 202, rows: "2 LOST_DIGITS SKU 1.23456789012345E+16",
			content: goods(t, `<row r="2"><c r="A2"><v>1.23456789012345E+16</v></c><c r="B2"><v>7</v></c><c r="C2"><v>1</v></c></row>`),
		},
	}
	for _, text := range hostile {
		list = append(list, bad{
			name: "54 " + strings.ReplaceAll(text, "/", "|"), status: 202, rows: "2 " + text,
			content: "SKU,Name,Price\nA,\"" + text + "\",1\n",
		})
	}
	return list
}

// noticed returns a workbook of one row, with a part about which users must be warned.
func noticed(t testing.TB, old, put string) string {
	t.Helper()
	sheet := `<worksheet xmlns=` + spreadsheet + `><sheetData>` + xmlRow("1", "SKU", "Name", "Price") +
		xmlRow("2", "A", "a", "1") + `</sheetData></worksheet>`
	return stored(t, strings.Replace(sheet, old, put, 1))
}
