package jsonrows

import (
	"strings"
	"testing"
)

// TestExactNumber_SameValue_SameResult: how a number is written does not decide whether it is accepted, but its number
// of digits without an exponent does.
func TestExactNumber_SameValue_SameResult(t *testing.T) {
	t.Parallel()
	small, big := "0."+strings.Repeat("0", 98)+"1", "1"+strings.Repeat("0", 99)
	for want, texts := range map[string][]string{
		small: {"1e-99", "100e-101", "0.1e-98", "1" + strings.Repeat("0", 99) + "E-198"},
		big:   {"1e99", "0.01e101", "100e97"},
		"0":   {"0e0", "0e100", "0e101", "0.00e-101", "-0e7"},
		"":    {"1e-100", "10e-101", "1e100", "0.1e101", "1e999999999", "1e-999999999", "1" + strings.Repeat("0", 99) + "e-200"},
	} {
		for _, text := range texts {
			got, err := exactNumber("n", text)
			if got != want || (err != nil) != (want == "") {
				t.Errorf("%s: %q, %v, want %q", text, got, err, want)
			}
		}
	}
}
