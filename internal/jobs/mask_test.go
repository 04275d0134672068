package jobs_test

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestShow_ParamsThatAreNoCells_AreMaskedCompletely: without columns, no value is known to be harmless.
func TestShow_ParamsThatAreNoCells_AreMaskedCompletely(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[struct {
		Name  string `row:"Name"`
		Phone string `row:"Phone" sensitive:"true"`
	}],
	) error {
		return nil
	}))
	open := jobs.KindOf(worker.Define("o", func(context.Context, *worker.Job[struct {
		Name string `row:"Name"`
	}],
	) error {
		return nil
	}))
	for params, want := range map[string]string{
		`{"Name":"Ann","Phone":"+14155550177"}`: `{"Name":"Ann","Phone":"••••0177"}`,
		`{"Name":"Ann","Phone":14155550177}`:    `{"Name":"••••","Phone":"••••"}`,
		`{"Phone":{"home":"+14155550177"}}`:     `{"Phone":"••••"}`,
		`["+14155550177"]`:                      `{}`,
		`"+14155550177"`:                        `{}`,
		`+14155550177`:                          `{}`,
		``:                                      ``,
		`{}`:                                    `{}`,
	} {
		if got := string(kind.Show([]byte(params))); got != want {
			t.Errorf("%s is shown as %s, want %s", params, got, want)
		}
		if got := string(open.Show([]byte(params))); got != params {
			t.Errorf("%s of a kind without sensitive columns is shown as %s", params, got)
		}
	}
}
