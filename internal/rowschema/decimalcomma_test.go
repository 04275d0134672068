package rowschema

import "testing"

func TestHasDecimalComma_CertainNumbersOnly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"12,5": true, "1.234,5": true, "1 234,50": true, "1'234,567": true, "1\u00a0234,5": true, "0,500": true, "12,50 €": true,
		"1,250": false, "12.5": false, "1 234": false, "1.250": false, "12,5,6": false, "0 234,5": false, "abc": false,
	} {
		if got := HasDecimalComma(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if want && Pointed(text) == text {
			t.Errorf("%q: Pointed leaves its comma", text)
		}
	}
}
