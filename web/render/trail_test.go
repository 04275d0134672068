package render_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/worker"
)

// patient is a row with a sensitive column.
type patient struct {
	Name  string `row:"Name"`
	Phone string `row:"Phone" alias:"tel" sensitive:"true"`
}

// TestDescribe_FixOfSensitiveColumn_IsMasked: a stored fix can have texts of a column that has become sensitive
// since.
func TestDescribe_FixOfSensitiveColumn_IsMasked(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("patients.import", func(context.Context, *worker.Job[patient]) error { return nil }))
	for column, want := range map[string][]string{
		"Phone": {"Phone", "••••0177", "••••0188"},
		"tel":   {"tel", "••••0177", "••••0188"},
		"Name":  {"Name", "+14155550177", "+14155550188"},
	} {
		act := decisions.Act{Act: "repair", Rows: 2, Fix: `{"column":"` + column + `","with":{"+14155550177":"+14155550188"}}`}
		var v render.TrailView
		v.Describe(locale.Printer("en"), kind, "T", &act, nil)
		if got := []string{v.Cells[0].Column, v.Cells[0].Before, v.Cells[0].After}; len(v.Cells) != 1 || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %q", column, v.Cells, want)
		}
	}
}
