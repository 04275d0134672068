package pages

import (
	"testing"

	"github.com/rollcall-dev/rollcall/web/view"
)

func TestCorrectedOutcome_Text_NamesOnlyRowsThatThereAre(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]view.Corrections{
		"1 row runs again. Unchanged: 2.":                                         {Changed: 1, Resubmitted: 1, Unchanged: 2},
		"1 row runs again. Unchanged: 2. Changed, but not run: 3.":                {Changed: 4, Resubmitted: 1, Unchanged: 2},
		"0 rows run again. Unchanged: 0. Changed, but not run: 1.":                {Changed: 1},
		"The corrected file has no changes. Rows that are the same as before: 2.": {Unchanged: 2},
	} {
		if got := outcomeText("en", correctedOutcome(v)); got != want {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
}
