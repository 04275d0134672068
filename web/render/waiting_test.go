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

func TestRowState_ReasonAboutTheService_HasDetailsForOperatorsOnly(t *testing.T) {
	t.Parallel()
	why := &view.Reason{Code: "SCRIPT_FAILS", Detail: "The script push fails."}
	for hints, want := range map[bool]string{true: why.Detail, false: "Waiting: the service has a problem."} {
		if got := (TaskCard{printer: "en"}).RowState(TaskFacts{Why: why, Hints: hints}); got.Bold != want {
			t.Errorf("operator %v reads %q, want %q", hints, got.Bold, want)
		}
	}
}
