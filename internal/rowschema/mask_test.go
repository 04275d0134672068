package rowschema

import (
	"fmt"
	"strings"
	"testing"
)

// TestCheck_MaskedValue_IsAFault: Check and Parse refuse the same values of sensitive columns.
func TestCheck_MaskedValue_IsAFault(t *testing.T) {
	t.Parallel()
	type secret struct {
		Pass  string  `row:"Pass" sensitive:"true"`
		Other *string `row:"Other" sensitive:"true"`
		Plain string  `row:"Plain"`
	}
	masked := "••••0199"
	s := Of[secret]()
	for args, want := range map[*secret]int{
		{Pass: masked, Other: &masked, Plain: masked}: 2, {Pass: "0199"}: 0, {Pass: masked + "9"}: 0,
	} {
		faults := s.Check(args)
		if len(faults) != want {
			t.Errorf("%+v: faults %+v, want %d", args, faults, want)
		}
		for _, f := range faults {
			if f.Code != CodeInvalidValue {
				t.Errorf("fault %+v", f)
			}
		}
	}
}

// TestUnclear_SensitiveColumn_ShowsNoDigits: neither the fault nor the values of its sentence contain the number.
func TestUnclear_SensitiveColumn_ShowsNoDigits(t *testing.T) {
	t.Parallel()
	type pay struct {
		Pay float64 `row:"Pay" sensitive:"true"`
		Tax float64 `row:"Tax"`
	}
	s := Of[pay]()
	secret, plain := s.Fields[0].Unclear("7.123"), s.Fields[1].Unclear("7.123")
	if text := fmt.Sprintf("%+v", *secret); strings.Contains(text, "712") || strings.Contains(text, "7.1") || strings.Contains(text, "7,1") {
		t.Errorf("the fault of a sensitive column is %s", text)
	}
	if plain.Value != "7.123" || !strings.Contains(plain.Message, "7123") {
		t.Errorf("the fault of another column is %+v", plain)
	}
}
