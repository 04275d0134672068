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

func TestTaskCardWaiting_WhatGoesFirst_IsNamedIfKnown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code, ahead string
		row         int
		want        string
	}{
		{"BEHIND_TASK", "a.csv", 0, "Waiting: “a.csv” goes first."},
		{"BEHIND_FILE", "a.csv", 0, "Waiting: the file of “a.csv” is read first."},
		{"BEHIND_TASK", "", 0, "Waiting: other rows go first."},
		{"BEHIND_FILE", "", 0, "Waiting: other rows go first."},
		{"BEHIND_ROW", "a.csv", 12, "Waiting: row 12 of “a.csv” goes first."},
		{"BEHIND_ROW", "", 0, "Waiting: rows with the same key run one after another."},
	} {
		facts := TaskFacts{Why: &view.Reason{Code: tt.code}, Ahead: tt.ahead, AheadRow: tt.row}
		if got := (TaskCard{printer: "en"}).waiting(facts); got.Bold != tt.want {
			t.Errorf("%s behind %q, row %d: %q, want %q", tt.code, tt.ahead, tt.row, got.Bold, tt.want)
		}
	}
}
