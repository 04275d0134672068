package input

import (
	"slices"
	"testing"
)

// TestBody_Variant_LeavesTheSharedDeclaration: routes that share a declaration do not change it for each
// other.
func TestBody_Variant_LeavesTheSharedDeclaration(t *testing.T) {
	t.Parallel()
	type object struct {
		A string `json:"a"`
		B string `json:"b"`
		C string `json:"c"`
	}
	shared, form := JSON[object](), PageForm("id")
	if got := shared.Without("a").Forms[0].Fields; !slices.Equal(got, Names{"b", "c"}) {
		t.Errorf("without a: %v", got)
	}
	if got := form.Repeat("id").Prefixed("cell.").Forms[0]; !slices.Equal(got.many, Names{"id"}) || got.Prefix != "cell." {
		t.Errorf("the variant is %+v", got)
	}
	if got := shared.Forms[0].Fields; !slices.Equal(got, Names{"a", "b", "c"}) {
		t.Errorf("the shared declaration has %v", got)
	}
	if got := form.Forms[0]; got.many != nil || got.Prefix != "" {
		t.Errorf("the shared form is %+v", got)
	}
}
