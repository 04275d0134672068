package xlsx

import (
	"testing"
)

func TestDecimalText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, raw, want string }{
		{"a whole number", "42", "42"},
		{"zeros in front stay", "007", "007"},
		{"zeros behind stay", "10.50", "10.50"},
		{"a negative zero", "-0", "-0"},
		{"what 0.1 is stored as", "0.10000000000000001", "0.1"},
		{"what 19.99 is stored as", "19.989999999999998", "19.99"},
		{"a sum that is not what it seems", "0.30000000000000004", "0.3"},
		{"sixteen digits behind the point", "52.52000659999123", "52.5200065999912"},
		{"sixteen digits stay", "1234567890123456", "1234567890123456"},
		{"seventeen digits stay", "12345678901234567", "12345678901234567"},
		{"digits that were lost stay visible", "1.2345678901234568E+16", "1.2345678901234568E+16"},
		{"an exponent", "1.5E+3", "1500"},
		{"a large exponent", "1.23E+16", "12300000000000000"},
		{"a small exponent", "1E-7", "0.0000001"},
		{"fifteen digits of more", "1.23456789012345E+16", "1.23456789012345E+16"},
		{"fifteen digits of fifteen", "1.23456789012345E+14", "123456789012345"},
		{"a long price", "1234567890123456.78", "1234567890123456.78"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := decimalText([]byte(tt.raw)); !ok || got != tt.want {
				t.Errorf("decimalText(%q) = %q, %v, want %q", tt.raw, got, ok, tt.want)
			}
		})
	}
	for _, raw := range []string{"", "x", "1_0", "0x10", "inf", "1e999", "--1", "1,5"} {
		if got, ok := decimalText([]byte(raw)); ok {
			t.Errorf("decimalText(%q) = %q, want no number", raw, got)
		}
	}
}

func TestFormatKind(t *testing.T) {
	t.Parallel()
	tests := map[string]dateKind{
		"General": notDate, "0.00": notDate, "#,##0.00 [$€-407]": notDate, "@": notDate,
		"0.00E+00": notDate, `0" days"`: notDate, `0\d`: notDate, "0.00 kg": notDate,
		"[Red]-0.00;[Green]0.00": notDate, `_-* #,##0.00\ "y"_-`: notDate, "[>=100]0": notDate,
		"yyyy-mm-dd": dateFormat, `[$-409]d\-mmm\-yy;@`: dateFormat, "m/d/yy h:mm": dateFormat,
		"DD.MM.YYYY": dateFormat, "mmm": dateFormat, `yyyy"年"m"月"d"日"`: dateFormat,
		"[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy": dateFormat, "ggge": dateFormat,
		"h:mm AM/PM": timeFormat, "mm:ss.0": timeFormat, "hh:mm:ss.000": timeFormat,
		"[h]:mm:ss": spanFormat, "[mm]:ss": spanFormat,
	}
	for code, want := range tests {
		if got := formatKind(code); got != want {
			t.Errorf("formatKind(%q) = %d, want %d", code, got, want)
		}
	}
}
