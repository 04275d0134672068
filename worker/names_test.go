package worker_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/worker"
)

type named struct {
	Brand string `row:"Brand" title:"Brand name" none:"All brands"`
	Size  string `row:"Size" validate:"omitempty,oneof=S M"`
}

// TestKind_TextsForPeople_AreInTheLanguageOrInEnglish: names of kind and columns, and their help.
func TestKind_TextsForPeople_AreInTheLanguageOrInEnglish(t *testing.T) {
	t.Parallel()
	run := func(context.Context, *worker.Job[named]) error { return nil }
	k := jobs.KindOf(worker.Define("brands.import", run, worker.Title("Brands"), worker.Help("Adds brands."),
		worker.Known("Brand", "Acme", "Stark"),
		worker.Messages("ru", map[string]string{"title": "Бренды", "Brand.title": "Бренд", "Brand.none": "Все"})))
	brand, size := &k.Schema.Fields[0], &k.Schema.Fields[1]
	for got, want := range map[string]string{
		k.DisplayName("en"): "Brands", k.DisplayName("vi"): "Brands", k.DisplayName("ru"): "Бренды", k.HelpIn("ru"): "Adds brands.",
		k.ColumnTitle("en", brand): "Brand name", k.ColumnTitle("ru", brand): "Бренд", k.ColumnTitle("ru", size): "Size",
		k.NoneOf("vi", brand): "All brands", k.NoneOf("ru", brand): "Все",
		jobs.KindOf(worker.Define("plain", run)).DisplayName("en"): "plain",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !slices.Equal(brand.Offered(), []string{"Acme", "Stark"}) || !slices.Equal(size.Offered(), []string{"S", "M"}) {
		t.Errorf("offered %v and %v", brand.Offered(), size.Offered())
	}
	if _, faults := k.Check(func(*rowschema.Field) string { return "" }); len(faults) > 0 {
		t.Errorf("a known value is no rule: %v", faults)
	}
}

// TestKnown_ColumnThatTheKindLacks_Panics: the mistake is found at the start.
func TestKnown_ColumnThatTheKindLacks_Panics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Define accepted known values of a column that is not there")
		}
	}()
	worker.Define("brands.import", func(context.Context, *worker.Job[named]) error { return nil }, worker.Known("Colour", "red"))
}
