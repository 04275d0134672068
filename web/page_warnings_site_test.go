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
	for _, want := range []string{"Файл не в Юникоде", "десятичной запятой, например \"12,50\""} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if strings.Contains(page, "decimal comma") || strings.Contains(page, "Unicode:") {
		t.Errorf("a warning is in English: %s", page)
	}
}
