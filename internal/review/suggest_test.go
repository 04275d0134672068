package review

import (
	"context"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type offer struct {
	Brand  string          `row:"Brand"`
	Size   string          `row:"Size" validate:"omitempty,oneof=S M XL"`
	Price  decimal.Decimal `row:"Price" validate:"gt=0"`
	Start  time.Time       `row:"Start" format:"2006-01-02"`
	Secret string          `row:"Secret" sensitive:"true"`
}

// TestSuggest_TextAtFault_GetsTheValueThatFits: earlier fixes come first, then known values,
// numbers and dates. There is no suggestion that is ambiguous or breaks a rule of the column.
func TestSuggest_TextAtFault_GetsTheValueThatFits(t *testing.T) {
	t.Parallel()
	run := func(context.Context, *worker.Job[offer]) error { return nil }
	kind := jobs.KindOf(worker.Define("offers.import", run, worker.Known("Brand", "Acme", "Stark", "Wayne East", "Wayne West"), worker.Known("Secret", "Acme")))
	made := []decisions.MadeFix{
		{Fix: decisions.Fix{Column: "Brand", With: map[string]string{"Tony": "Stark"}}, At: 7},
		{Fix: decisions.Fix{Column: "Price", With: map[string]string{"free": "0"}}, At: 6},
	}
	for _, tt := range []struct {
		column, text, want string
		why                Reason
	}{
		{"Brand", "Acne", "Acme", OneOff},
		{"Brand", "STARK", "Stark", Case},
		{"Brand", "Tony", "Stark", Before},
		{"Brand", "Unheard Of", "", ""},
		{"Brand", "acme Trading Ltd", "Acme", Near},
		{"Brand", "Wayne East Corp", "Wayne East", Near},
		{"Brand", "Wayne", "", ""}, // two known values begin with it
		{"Brand", "Acmeology Ltd", "", ""},
		{"Size", "xl", "XL", Case},
		{"Size", "XXXX", "", ""},
		{"Price", "12.50 EUR", "12.50", Unit},
		{"Price", "€ 9,95", "9.95", Comma},
		{"Price", "1.234,50", "1234.50", Comma},
		{"Price", "1 234", "1234", Unit},
		{"Price", "1,234", "", ""},  // thousands or decimals
		{"Price", "free", "", ""},   // the text of the earlier fix breaks a rule of the column
		{"Price", "-3 EUR", "", ""}, // still below zero
		{"Price", "2 or 3", "", ""}, // two numbers
		{"Price", "twelve", "", ""},
		{"Price", "bad1", "", ""}, // no known currency or unit
		{"Price", "1 bad", "", ""},
		{"Price", "no7 EUR", "", ""},
		{"Price", "$1", "1", Unit},
		{"Price", "15,– руб.", "15", Unit},
		{"Price", "VND 9", "9", Unit},
		{"Price", "9元", "9", Unit},
		{"Start", "31.3.2026", "2026-03-31", Layout},
		{"Start", "2026-02-31", "2026-02-28", LastDay},
		{"Start", "2026-02-32", "", ""},
		{"Start", "3/4/2026", "", ""}, // March or April
		{"Secret", "Acne", "", ""},
		{"Missing", "x", "", ""},
	} {
		got := Suggest(kind, &tasks.Task{}, tt.column, tt.text, made)
		switch {
		case got == nil && tt.want != "":
			t.Errorf("%s %q has no suggestion, want %q", tt.column, tt.text, tt.want)
		case got != nil && (got.With != tt.want || got.Why != tt.why):
			t.Errorf("%s %q becomes %q (%s), want %q (%s)", tt.column, tt.text, got.With, got.Why, tt.want, tt.why)
		}
	}
}

// TestSuggest_DecimalCommaOfTheFile_SuggestionIsAccepted: earlier fixes may come from tasks with either
// decimal sign.
func TestSuggest_DecimalCommaOfTheFile_SuggestionIsAccepted(t *testing.T) {
	t.Parallel()
	run := func(context.Context, *worker.Job[offer]) error { return nil }
	kind := jobs.KindOf(worker.Define("offers.import", run, worker.Known("Price", "2.500", "2.75")))
	for _, tt := range []struct{ decimal, text, fix, want string }{
		{",", "x", "1.250", ""},
		{",", "x", "1,250", "1,250"},
		{",", "x", "12.50", "12.50"},
		{",", "x", "12,50", "12,50"},
		{",", "2.50O", "1.250", ""}, // the known value is unclear, too
		{",", "2.7S", "1.250", "2.75"},
		{".", "x", "1.250", "1.250"},
		{".", "x", "1,250", ""},
		{".", "x", "12,50", ""},
	} {
		task := &tasks.Task{Options: map[string]any{"decimal": tt.decimal}}
		made := []decisions.MadeFix{{Fix: decisions.Fix{Column: "Price", With: map[string]string{"x": tt.fix, tt.text: tt.fix}}}}
		got := Suggest(kind, task, "Price", tt.text, made)
		if (got == nil) != (tt.want == "") || got != nil && got.With != tt.want {
			t.Errorf("%+v: %+v", tt, got)
		}
		if got == nil {
			continue
		}
		r, err := NewValidator(kind, task, nil, false).one(failed(`{"Price":"x"}`, "INVALID_NUMBER", "Price"), Cells{"Price": text(got.With)})
		if err != nil || !r.MayRun() {
			t.Errorf("%+v: the suggestion is refused: %+v, %v", tt, r.Fault, err)
		}
	}
}
