package render

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
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

func TestState_RowFetchedWhileOthersAreDone_Runs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code string
		done int64
		want string // "": it runs, and the template has the sentence
	}{
		{"FETCHED", 0, "Starting."},
		{"FETCHED", 8275, ""},
		{"RUNNING", 0, ""},
		{"NOT_FED", 0, "Starting."},
		{"NOT_FED", 8275, "Waiting."},
		{"BEHIND_ROW", 8275, "Waiting: rows with the same key run one after another."},
	} {
		card := TaskCard{printer: "en"}
		card.Status, card.Progress.Processed = tasks.Running, tt.done
		card.Counts.Total, card.Counts.Enqueue = 10_000, 10_000-tt.done
		got := card.State(TaskFacts{Why: &view.Reason{Code: tt.code}})
		if got.Bold != tt.want || got.Live != (tt.want == "") {
			t.Errorf("%s, %d rows done: %+v, want %q", tt.code, tt.done, got, tt.want)
		}
	}
}

func TestStatusWords_RowsLeftOutOrCorrected_DoNotCount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		failed, skipped, ready, settled int64
		want                            string
	}{
		{11, 0, 0, 0, "Finished, 11 rows need correction"},
		{11, 4, 0, 0, "Finished, 7 rows need correction"},
		{11, 4, 7, 0, "7 corrected rows are ready to run."},
		{11, 11, 0, 0, "Finished"},
		{11, 4, 2, 5, "Finished, 10 rows need correction"},
	} {
		card := TaskCard{printer: "en"}
		card.Status = tasks.FinishedWithFailures
		card.Counts.Failed, card.Counts.Skipped = tt.failed, tt.skipped
		if got := card.StatusWords(TaskFacts{Ready: tt.ready, Settled: tt.settled}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestBadWords_SkippedRows_DoNotCount: the operators' list of tasks has only the counts.
func TestBadWords_SkippedRows_DoNotCount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		failed, faulty, skipped int64
		want                    string
	}{
		{2, 0, 2, "Finished"},
		{2, 0, 1, "Finished, 1 row needs correction"},
		{2, 3, 5, "Finished"},
	} {
		c := tasks.CountsJSON{Counts: tasks.Counts{Failed: tt.failed, Error: tt.faulty, Skipped: tt.skipped}}
		if got := badWords("en", c); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func TestTexts_OneRow_AreInTheSingular(t *testing.T) {
	t.Parallel()
	card := TaskCard{printer: "en"}
	card.Counts.Total, card.Counts.Finish, card.Counts.Error, card.Counts.Failed = 3, 1, 1, 1
	if got := card.imported(); got != "1 of 3 rows is imported." {
		t.Errorf("%q", got)
	}
	for _, part := range card.Legend(TaskFacts{}) {
		want := map[string]string{"error": "with a system error", "failed": "to correct"}[part.Name]
		if want != "" && (part.Words != want || part.N != 1) {
			t.Errorf("%d %s, want 1 %s", part.N, part.Words, want)
		}
	}
	card.Counts.Finish = 2
	if got := card.imported(); got != "2 of 3 rows are imported." {
		t.Errorf("%q", got)
	}
}

func TestState_TaskWithoutRows_NamesItsStateOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status tasks.Status
		source *view.Source
		final  bool
		want   string
		live   bool
	}{
		{tasks.Open, &view.Source{}, false, "Waiting.", false},
		{tasks.Splitting, &view.Source{}, false, "", true},
		{tasks.Splitting, nil, false, "Waiting.", true},
		{tasks.Running, &view.Source{}, true, "", true},
	} {
		card := TaskCard{printer: "en", Words: "Waiting"}
		card.Status, card.Source, card.Counts.TotalIsFinal = tt.status, tt.source, tt.final
		if got := card.State(TaskFacts{}); got.Bold != tt.want || got.Live != tt.live {
			t.Errorf("%s: %+v, want %q, live %v", tt.status, got, tt.want, tt.live)
		}
	}
}

// TestRetries_RowBehindARetry_HasItsTime: a reason that is neither a retry nor a row behind one has another time.
func TestRetries_RowBehindARetry_HasItsTime(t *testing.T) {
	t.Parallel()
	at := "2026-03-04T10:00:00.000Z"
	for code, want := range map[string]bool{retries: true, behindRow: true, "RUNNING": false} {
		if got := (TaskFacts{Why: &view.Reason{Code: code, At: &at}}).Retries(); (got != nil) != want {
			t.Errorf("%s: the time of the retry is %v", code, got)
		}
	}
}

// TestRetries_TimeOfTheAttemptHasCome_IsDue: the page names no time in the past.
func TestRetries_TimeOfTheAttemptHasCome_IsDue(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for left, want := range map[time.Duration]bool{time.Second: false, 0: true, -time.Minute: true} {
		facts := TaskFacts{Why: &view.Reason{Code: retries, At: textutil.Instant(at.UnixMilli())}, Now: at.Add(-left)}
		if got := facts.Retries(); got.Due != want {
			t.Errorf("%v before the attempt: %+v, want due %v", left, got, want)
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

// TestRuns_MoreOvertakenRowsThanReady_IsZero: rows may be corrected between the two counts.
func TestRuns_MoreOvertakenRowsThanReady_IsZero(t *testing.T) {
	t.Parallel()
	for overtaken, want := range map[int64]int64{0: 2, 2: 0, 3: 0} {
		if got := (TaskFacts{Ready: 2, Overtaken: overtaken}).Runs(); got != want {
			t.Errorf("%d of 2 rows are overtaken: %d run, want %d", overtaken, got, want)
		}
	}
}
