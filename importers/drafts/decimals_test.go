package drafts

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

func TestPointed_NumberWithAComma_GetsAPoint(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"12,50": "12.50", "1.234,56": "1234.56", "1 234,5": "1234.5", "1\u00a0234": "1234", "-0,5": "-0.5",
		"12,50 €": "12.50 €", "1.234": "1234", "1.234.567": "1234567", "7": "7", "1,234": "1.234",
		"12.50": "12.50", "1,2,3": "1,2,3", "1.23,4": "1.23,4", "x": "x", "": "", "1.2345": "1.2345",
		"0.250": "0.250",
	} {
		if got := rowschema.Pointed(text); got != want {
			t.Errorf("Pointed(%q) = %q, want %q", text, got, want)
		}
	}
}
