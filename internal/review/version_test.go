package review

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type revised struct {
	No int64 `row:"No" key:"true" validate:"required"`
	V  int64 `row:"V" version:"true" validate:"required"`
}

// TestDecision_RowIsCorrected_HasTheVersionOfItsCells: the version is that of the new cells or, if
// these have none, of the earlier ones.
func TestDecision_RowIsCorrected_HasTheVersionOfItsCells(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("parts", func(context.Context, *worker.Job[revised]) error { return nil }))
	for want, with := range map[int64]Cells{9: {"V": text("9")}, 3: nil, 4: {"No": text("8"), "V": text(" 4 ")}} {
		r, err := NewValidator(kind, &tasks.Task{}, nil, false).one(failed(`{"No":"7","V":"3"}`, "BAD", "No"), with)
		if err != nil {
			t.Fatal(err)
		}
		if d, _ := r.decision(intent{run: true}); d.Score == nil || *d.Score != want {
			t.Errorf("the version is %v, want %d", d.Score, want)
		}
	}
}
