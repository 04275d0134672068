package importers

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
)

// TestRowTooLargeCostsItself tests a list of rows in JSON, and one JSON object per line.
func TestRowTooLargeCostsItself(t *testing.T) {
	t.Parallel()
	huge := `{"SKU":"` + strings.Repeat("x", jsonrows.MaxBytes) + `"}`
	small := `{"SKU":"a","Name":"b","Price":1}`
	for _, text := range []string{
		"[" + small + "," + huge + "," + small + "]",
		small + "\n" + huge + "\n" + small,
	} {
		got, _ := draftsOf(t, []byte(text), Options{})
		if len(got) != 3 || got[0].Failure != nil || got[2].Failure != nil || got[1].Failure == nil ||
			len(got[1].Params) > 10_000 {
			t.Errorf("read %d rows: %.300v", len(got), got)
		}
	}
}
