package rowschema

import "testing"

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
