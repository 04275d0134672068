package review

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestHandlerFailure_AnotherColumnIsEdited_Stands: the fault that a handler found stays until the
// text of its column changes. A run may still decide about it.
func TestHandlerFailure_AnotherColumnIsEdited_Stands(t *testing.T) {
	t.Parallel()
	j := judgeOf(&tasks.Task{})
	for name, tt := range map[string]struct {
		with Cells
		want string // the code of the fault; "": none, so the row is corrected
	}{
		"another column":             {Cells{"Phone": text("1")}, "NAME_TAKEN"},
		"another column, same text":  {Cells{"Phone": text("1"), "Name": text("a")}, "NAME_TAKEN"},
		"another column, to a fault": {Cells{"No": text("x")}, "NAME_TAKEN"},
		"its column":                 {Cells{"Name": text("b")}, ""},
	} {
		e := failed(`{"No":"7","Name":"a"}`, "NAME_TAKEN", "Name")
		e.Attempt = 1
		r, err := j.one(e, tt.with)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := r.decision(intent{typed: true})
		if want := map[bool]events.Resolution{true: events.Fixed, false: events.Open}[tt.want == ""]; d.Resolution != want {
			t.Errorf("%s: %s, want %s", name, d.Resolution, want)
		}
		if f := d.Edit.Fault; tt.want == "" && f != nil || tt.want != "" && (f == nil || f.Code != tt.want) {
			t.Errorf("%s: fault %+v, want %q", name, f, tt.want)
		}
		if ran, _ := r.decision(intent{run: true}); (ran.Resolution == events.Resubmitted) != (name != "another column, to a fault") {
			t.Errorf("%s: run: %s", name, ran.Resolution)
		}
	}
}

// TestValidate_SecondFault_RowStaysAmongThoseOfItsCause: the first fault stays first until it is corrected, also if
// another column comes before its own.
func TestValidate_SecondFault_RowStaysAmongThoseOfItsCause(t *testing.T) {
	t.Parallel()
	j, e := judgeOf(&tasks.Task{}), failed(`{"No":"7"}`, "REQUIRED", "Name")
	both, err := j.one(e, Cells{"No": text("x")})
	if err != nil || both.Fault.Code != "REQUIRED" || len(both.Fault.Fields) != 2 {
		t.Errorf("%+v, %v", both.Fault, err)
	}
	e.Params = string(both.Params())
	e.SetFailure(both.Fault)
	if one, err := j.one(e, Cells{"Name": text("a")}); err != nil || one.Fault.Code != "INVALID_NUMBER" {
		t.Errorf("%+v, %v", one.Fault, err)
	}
}
