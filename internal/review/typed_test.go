package review

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type priced struct {
	No    string  `row:"No" key:"true"`
	Price float64 `row:"Price"`
	Note  string  `row:"Note"`
}

// TestValidate_DecimalCommaOfTheFile_IsReadInTypedNumbers: a typed number is read like the numbers of the file.
func TestValidate_DecimalCommaOfTheFile_IsReadInTypedNumbers(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("prices", func(context.Context, *worker.Job[priced]) error { return nil }))
	for _, tt := range []struct{ decimal, column, typed, params string }{
		{",", "Price", "15,75", `{"No":"7","Price":"15.75"}`},
		{",", "price", "1.250,50", `{"No":"7","Price":"1250.50"}`},
		{",", "Price", "1,250", `{"No":"7","Price":"1.250"}`},
		{",", "Price", "15.75", `{"No":"7","Price":"15.75"}`},
		{",", "Note", "15,75", `{"No":"7","Price":"x","Note":"15,75"}`},
		{".", "Price", "15,75", `{"No":"7","Price":"15,75"}`},
		{"", "Price", "15,75", `{"No":"7","Price":"15,75"}`},
	} {
		j := NewValidator(kind, &tasks.Task{Options: map[string]any{"decimal": tt.decimal}}, nil, false)
		r, err := j.one(failed(`{"No":"7","Price":"x"}`, "INVALID_NUMBER", "Price"), Cells{tt.column: text(tt.typed)})
		runs := tt.decimal == "," && tt.column != "Note" || tt.typed == "15.75"
		if err != nil || string(r.Params()) != tt.params || r.MayRun() != runs {
			t.Errorf("%q, %s %q: %s, %+v, %v; want %s", tt.decimal, tt.column, tt.typed, r.Params(), r.Fault, err, tt.params)
		}
	}
}

// TestValidate_PointOfThousandsOrDecimals_IsRefused: in a task with a decimal comma, the file has 1.250 as thousands, and
// the pages show 1.250 as a number with decimals. The fault stays until the number is replaced, also in a row that has run.
func TestValidate_PointOfThousandsOrDecimals_IsRefused(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("prices", func(context.Context, *worker.Job[priced]) error { return nil }))
	for _, tt := range []struct {
		decimal, column, typed string
		refused                bool
	}{
		{",", "Price", "1.250", true},
		{",", "Price", "€ 1.250", true},
		{",", "Price", "1250", false},
		{",", "Price", "1,250", false},
		{",", "Price", "1.25", false},
		{",", "Price", "0.125", false},
		{",", "Note", "1.250", false},
		{".", "Price", "1.250", false},
	} {
		j := NewValidator(kind, &tasks.Task{Options: map[string]any{"decimal": tt.decimal}}, nil, false)
		for _, ran := range []int{0, 1} {
			e := failed(`{"No":"7","Price":"x"}`, "INVALID_NUMBER", "Price")
			e.Attempt = ran
			r, err := j.one(e, Cells{tt.column: text(tt.typed)})
			if err != nil || (r.Fault != nil && r.Fault.Code == "UNCLEAR_NUMBER") != tt.refused {
				t.Fatalf("%+v: %+v, %v", tt, r.Fault, err)
			}
			if !tt.refused {
				continue
			}
			e.SetFailure(r.Fault)
			e.Params = string(r.Params())
			if r, err = j.one(e, Cells{"Note": text("x")}); err != nil || r.MayRun() {
				t.Errorf("%+v, after another edit: %+v, %v", tt, r.Fault, err)
			}
			if r, err = j.one(e, Cells{"Price": text(tt.typed)}); err != nil || r.MayRun() {
				t.Errorf("%+v, after the same number: %+v, %v", tt, r.Fault, err)
			}
			for _, clear := range []string{"1.250,5", "1,250", "1250"} {
				if r, err = j.one(e, Cells{"Price": text(clear)}); err != nil || !r.MayRun() {
					t.Errorf("%+v, after %s: %+v, %v", tt, clear, r.Fault, err)
				}
			}
		}
	}
}
