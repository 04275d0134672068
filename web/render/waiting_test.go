package render

import (
	"testing"

	"github.com/rollcall-dev/rollcall/web/view"
)

func TestWaiting_RowsAhead_AreCountedOnlyIfThereAreSome(t *testing.T) {
	t.Parallel()
	three, none := int64(3), int64(0)
	for want, place := range map[string]*int64{"Waiting: other rows go first.": &three, "Starting.": &none} {
		got := TaskCard{printer: "en"}.waiting(TaskFacts{Why: &view.Reason{Code: "NOT_FED", Place: place}})
		if got.Bold != want {
			t.Errorf("%d rows ahead: %q, want %q", *place, got.Bold, want)
		}
	}
}
