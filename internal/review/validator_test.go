package review

import (
	"context"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type part struct {
	No    int64  `row:"No" key:"true" validate:"required,gt=0"`
	Name  string `row:"Name" alias:"title" validate:"required"`
	Phone string `row:"Phone" sensitive:"true"`
}

func judgeOf(t *tasks.Task) *Validator {
	kind := jobs.KindOf(worker.Define("parts", func(context.Context, *worker.Job[part]) error { return nil }))
	return NewValidator(kind, t, nil, false)
}

// one validates one row.
func (j *Validator) one(e *events.Event, with Cells) (ValidatedRow, error) {
	out, err := j.Validate(context.Background(), []RowChange{{Event: e, Cells: with}})
	if err != nil {
		return ValidatedRow{}, err
	}
	return out[0], nil
}

func text(s string) *string { return &s }

func failed(params, code, col string) *events.Event {
	return &events.Event{
		ID: events.NewID(1, 1), Version: 1, Status: events.Failed, Params: params, Key: "7",
		Code: text(code), Col: text(col), Message: text("as told"),
	}
}

func TestWhatStillStands(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, params, code, col string
		with                    Cells
		fault                   string // code of the expected fault; empty if there is none
	}{
		{"a rule is asked again", `{"No":"7","Name":""}`, "REQUIRED", "Name", nil, "REQUIRED"},
		{"and obeyed", `{"No":"7"}`, "REQUIRED", "Name", Cells{"title": text("a")}, ""},
		{"a rule that is no more stands no more", `{"No":"7","Name":"a"}`, "REQUIRED", "Phone", nil, ""},
		{"a broken text stands", `{"No":"7","Name":"a\ufffd"}`, "INVALID_ENCODING", "Name", nil, "INVALID_ENCODING"},
		{"also if another cell is mended", `{"No":"7","Name":"a\ufffd"}`, "INVALID_ENCODING", "Name", Cells{"Phone": text("1")}, "INVALID_ENCODING"},
		{"until it is typed anew", `{"No":"7","Name":"a\ufffd"}`, "INVALID_ENCODING", "Name", Cells{"Name": text("ab")}, ""},
		{"a cell too many stands", `{"No":"7","Name":"a","column 4":"x"}`, "TOO_MANY_CELLS", "", Cells{"Name": text("b")}, "TOO_MANY_CELLS"},
		{"until it is cleared", `{"No":"7","Name":"a","column 4":"x"}`, "TOO_MANY_CELLS", "", Cells{"column 4": nil}, ""},
		{"a key that another row has stands", `{"No":"7","Name":"a"}`, "DUPLICATE_KEY", "No", Cells{"Name": text("b")}, "DUPLICATE_KEY"},
		{"also if it is typed once more", `{"No":"7","Name":"a"}`, "DUPLICATE_KEY", "No", Cells{"No": text("07"), "Name": text("b")}, "DUPLICATE_KEY"},
		{"until it is another", `{"No":"7","Name":"a"}`, "DUPLICATE_KEY", "No", Cells{"No": text("8")}, ""},
		{"a row that was cut stands", `{"No":"7","Name":"a…"}`, "ROW_TOO_LARGE", "", Cells{"Name": text("b")}, "ROW_TOO_LARGE"},
		{"until all of it is there", `{"No":"7","Name":"a…"}`, "ROW_TOO_LARGE", "", Cells{"Name": text("b"), "No": text("7")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := judgeOf(&tasks.Task{}).one(failed(tt.params, tt.code, tt.col), tt.with)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Fault; tt.fault == "" && got != nil || tt.fault != "" && (got == nil || got.Code != tt.fault) {
				t.Errorf("fault %+v, want %q", got, tt.fault)
			}
		})
	}
}

// TestHandlerFailureDoesNotStand: only a run can decide whether a handler's failure still holds.
func TestHandlerFailureDoesNotStand(t *testing.T) {
	t.Parallel()
	e := failed(`{"No":"7","Name":"a"}`, "NAME_TAKEN", "Name")
	e.Attempt = 1
	if r, err := judgeOf(&tasks.Task{}).one(e, nil); err != nil || r.Fault != nil {
		t.Errorf("%+v, %v", r.Fault, err)
	}
}

func TestTheKeyFollowsTheRow(t *testing.T) {
	t.Parallel()
	own, other := judgeOf(&tasks.Task{}), judgeOf(&tasks.Task{
		Options: map[string]any{"key_column": "Titel"}, Columns: []tasks.Column{{Header: "Titel", Field: "Name"}},
	})
	e := failed(`{"No":"7","Name":"a"}`, "X", "")
	for _, tt := range []struct {
		name string
		j    *Validator
		key  string
		with Cells
		want string
	}{
		{"that of the kind", own, "7", Cells{"No": text("08")}, "8"},
		{"of another column", other, "a", Cells{"Name": text("b")}, "b"},
		{"one given with the job stays", own, "order:1", Cells{"No": text("8")}, "order:1"},
	} {
		row := *e
		row.Key = tt.key
		if r, err := tt.j.one(&row, tt.with); err != nil || r.Key != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, r.Key, err, tt.want)
		}
	}
}

// TestValidate_KeyCellThatCouldNotBeRead_GivesTheKeyOnceItIsRepaired: until then the row has no key.
func TestValidate_KeyCellThatCouldNotBeRead_GivesTheKeyOnceItIsRepaired(t *testing.T) {
	t.Parallel()
	j := judgeOf(&tasks.Task{Options: map[string]any{"key_column": "Name"}})
	e := failed(`{"No":"7","Name":"a\ufffd"}`, "INVALID_ENCODING", "Name")
	e.Key = ""
	for name, tt := range map[string]struct {
		with Cells
		want string
	}{
		"repaired":           {Cells{"Name": text("b")}, "b"},
		"as it was":          {nil, ""},
		"repaired elsewhere": {Cells{"Phone": text("1")}, ""},
	} {
		if r, err := j.one(e, tt.with); err != nil || r.Key != tt.want {
			t.Errorf("%s: key %q, %v, want %q", name, r.Key, err, tt.want)
		}
	}
}

// TestValidate_LongKey_IsAFault: otherwise the row would run without a key.
func TestValidate_LongKey_IsAFault(t *testing.T) {
	t.Parallel()
	j := judgeOf(&tasks.Task{Options: map[string]any{"key_column": "Name"}})
	e := failed(`{"No":"7","Name":"a"}`, "X", "")
	e.Key, e.Attempt = "a", 1
	r, err := j.one(e, Cells{"Name": text(strings.Repeat("é", rowschema.MaxKey))})
	if err != nil || r.MayRun() || r.Fault.Code != rowschema.CodeTooLong || r.Fault.Column != "Name" {
		t.Errorf("%+v, %v", r.Fault, err)
	}
}

func TestAnEditKeepsTheOrderOfCells(t *testing.T) {
	t.Parallel()
	r, err := judgeOf(&tasks.Task{}).one(failed(`{"Name":"a","x <y>":"é","No":"7"}`, "X", ""),
		Cells{"name": text("b"), "Phone": text("1"), "No": nil})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(writeCells(r.cells)), `{"Name":"b","x <y>":"é","Phone":"1"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(r.before) != 3 || *r.before["No"] != "7" || r.after["No"] != nil || r.before["Phone"] != nil {
		t.Errorf("before %v, after %v", r.before, r.after)
	}
}

// TestSearch_MaskedCell_IsNotFound: the search does not find a masked cell by the hidden part of its text.
func TestSearch_MaskedCell_IsNotFound(t *testing.T) {
	t.Parallel()
	e := failed(`{"No":"7","Name":"Anvil","Phone":"555123456"}`, "X", "")
	kind := judgeOf(&tasks.Task{}).kind
	for q, want := range map[string]bool{"": true, "anv": true, "AS TOLD": true, "555": false, "3456": true, "zz": false} {
		if got := Matcher(kind, q)(e); got != want {
			t.Errorf("%q is found: %v", q, got)
		}
	}
}

// TestRowMatcher_NumberOfARow_IsFoundExactly: digits of a cell are found, too.
func TestRowMatcher_NumberOfARow_IsFoundExactly(t *testing.T) {
	t.Parallel()
	e := failed(`{"No":"815","Name":"Anvil"}`, "X", "")
	e.Row = 47
	kind := judgeOf(&tasks.Task{}).kind
	for q, want := range map[string]bool{"": true, "47": true, " 47 ": true, "4": false, "470": false, "81": true, "-47": false, "anv": true} {
		if got := RowMatcher(kind, q)(e); got != want {
			t.Errorf("%q is found: %v", q, got)
		}
	}
	if Matcher(kind, "47")(e) {
		t.Error("a search in several tasks finds the number of a row")
	}
}

func TestTextsThatNoCellHolds(t *testing.T) {
	t.Parallel()
	for s, ok := range map[string]bool{
		"": true, "a\tb\n": true, "a\x00": false, "\xff": false, strings.Repeat("é", 32_767): true,
		strings.Repeat("é", 32_768): false,
	} {
		if got := CheckText(s) == ""; got != ok {
			t.Errorf("%.20q can stand in a cell: %v", s, got)
		}
	}
}
