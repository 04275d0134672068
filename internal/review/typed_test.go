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

// TestHear_DecimalCommaOfTheFile_IsReadInTypedNumbers: a typed number is read like the numbers of the file.
func TestHear_DecimalCommaOfTheFile_IsReadInTypedNumbers(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("prices", func(context.Context, *worker.Job[priced]) error { return nil }))
	for _, tt := range []struct{ decimal, column, typed, params string }{
		{",", "Price", "15,75", `{"No":"7","Price":"15.75"}`},
		{",", "price", "1.250,50", `{"No":"7","Price":"1250.50"}`},
		{",", "Price", "15.75", `{"No":"7","Price":"15.75"}`},
		{",", "Note", "15,75", `{"No":"7","Price":"x","Note":"15,75"}`},
		{".", "Price", "15,75", `{"No":"7","Price":"15,75"}`},
		{"", "Price", "15,75", `{"No":"7","Price":"15,75"}`},
	} {
		j := NewJudge(kind, &tasks.Task{Options: map[string]any{"decimal": tt.decimal}}, nil, false)
		r, err := j.one(failed(`{"No":"7","Price":"x"}`, "INVALID_NUMBER", "Price"), Cells{tt.column: text(tt.typed)})
		if err != nil || string(r.Params()) != tt.params {
			t.Errorf("%q, %s %q: %s, %v; want %s", tt.decimal, tt.column, tt.typed, r.Params(), err, tt.params)
		}
	}
}
