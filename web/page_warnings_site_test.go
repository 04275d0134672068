package web_test

import (
	"strings"
	"testing"
)

// TestCheck_Warnings_AreInTheLanguageOfThePage covers the warnings about the encoding and the decimal
// comma, which the reader of a file writes in English.
func TestCheck_Warnings_AreInTheLanguageOfThePage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "SKU;Name;Price\nA;caf\xe9;12,50\n")
	page := words(s.get(at+"/check", "Accept-Language", "ru").body)
	for _, want := range []string{"Файл не в Юникоде", "десятичной запятой, например «12,50»"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if body := s.get(at + "/check").body; !strings.Contains(body, `href="`+at+`#encoding"`) || !strings.Contains(body, `href="`+at+`#decimal"`) {
		t.Error("the warnings do not lead to what changes them")
	}
	if strings.Contains(page, "decimal comma") || strings.Contains(page, "Unicode:") {
		t.Errorf("a warning is in English: %s", page)
	}
}

// TestCheck_DateInAnotherLayout_SaysThatOneClickCorrectsIt checks the column "What to do".
func TestCheck_DateInAnotherLayout_SaysThatOneClickCorrectsIt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "SKU,Name,Price,Start\nA,a,1,31.03.2026\nB,b,no,\n")
	page := s.get(at + "/check").body
	tells(t, page, "Start : Invalid date", "After this step, one click corrects such values: “31.03.2026” becomes “2026-03-31”.")
	if n := strings.Count(words(page), "one click"); n != 1 {
		t.Errorf("%d causes are corrected by one click, want 1", n)
	}
}

// TestUpload_TextsAboutAFile_AreForUsers checks that the texts name no formats for programs.
func TestUpload_TextsAboutAFile_AreForUsers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	refused := s.post("p.csv", "%PDF-1.7\n").body
	tells(t, refused, "Upload an Excel workbook (.xlsx) or a CSV file.")
	lacks(t, refused, "JSON", "programs")
	at := s.sent("q.csv", "SKU,Name,Price,Aisle\nA,a,1,7\n")
	page := s.get(strings.TrimSuffix(at, "/check") + "/check").body
	tells(t, page, `These columns of the file are not imported; their values are only kept with the rows: "Aisle".`)
	lacks(t, page, "products.import")
}
