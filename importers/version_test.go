package importers_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

// counted is an item whose newest row has the greatest stock.
type counted struct {
	SKU   string `row:"SKU" key:"true" validate:"required,max=8"`
	Stock int64  `row:"Stock" version:"true" validate:"required"`
}

// TestVersion_LatestOfAFile_HasTheGreatestVersion: among equal versions it is the last row. A row
// without a version is invalid.
func TestVersion_LatestOfAFile_HasTheGreatestVersion(t *testing.T) {
	kind := worker.Define("items.import", func(context.Context, *worker.Job[counted]) error { return nil })
	ledgers.ByTier(t, func(t *testing.T, url string) {
		p := &splitterEnv{fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(kind)})}
		created := p.accept(t, "SKU,Stock\na,5\nb,1\na,3\nb,1\na,\na,4\n", asked(importers.Options{Duplicates: importers.Latest}))
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"2 a enqueue",
			`3 b failed SUPERSEDED Row 5 has the same key and is used instead {"superseded_by":"T.4","row":5}`,
			`4 a failed SUPERSEDED Row 2 has the same key and is used instead {"superseded_by":"T.1","row":2}`,
			"5 b enqueue",
			"6 a failed REQUIRED Stock is empty",
			`7 a failed SUPERSEDED Row 2 has the same key and is used instead {"superseded_by":"T.1","row":2}`,
		}
		if diff := cmp.Diff(want, p.story(t, created)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
