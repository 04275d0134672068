package e2e

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/samples"
)

// sqlite returns the URL of the ledger of an embedded service.
func sqlite(dataDir string) string { return filepath.Join(dataDir, "rollcall.db") }

// verdict compares the end of the only task with the expected outcome of its file. It checks the
// poll, the events of the ledger, and the catalogue.
func verdict(t *testing.T, ledgerURL string, v task, want samples.Counts) {
	t.Helper()
	db, err := ledger.Open(t.Context(), ledgerURL, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	record(t, db, v, want)
	catalogue(t, db, want)
}

// record compares the end of one of several tasks in the poll and in the events of the ledger.
func record(t *testing.T, db *ledger.DB, v task, want samples.Counts) {
	t.Helper()
	wantCounts := counts{
		Total: want.Rows, TotalIsFinal: true, Finish: want.Good,
		Failed: want.Invalid + want.Failing, Error: want.Errors,
	}
	if diff := cmp.Diff(wantCounts, v.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	recount(t, db, v)
	groups(t, v, want)
}

// recount compares the counts with the events. Each row must have one event with an outcome.
func recount(t *testing.T, db *ledger.DB, v task) {
	t.Helper()
	var got counts
	rows, err := db.Read.Raw(`SELECT e.status, count(*), count(DISTINCT e.row), count(e.finished_at)
		FROM rollcall.events e JOIN rollcall.tasks t ON e.id / 4294967296 = t.num WHERE t.id = ? GROUP BY e.status`, v.ID).Rows()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	into := map[string]*int{"finish": &got.Finish, "failed": &got.Failed, "error": &got.Error}
	for rows.Next() {
		var status string
		var n, distinct, finished int
		if err := rows.Scan(&status, &n, &distinct, &finished); err != nil {
			t.Fatal(err)
		}
		if into[status] == nil || n != distinct || n != finished {
			t.Errorf("%d events are %s, with %d rows and %d ends", n, status, distinct, finished)
			continue
		}
		*into[status] = n
		got.Total += n
	}
	got.TotalIsFinal = true
	if diff := cmp.Diff(v.Counts, got); diff != "" {
		t.Errorf("recount of the events (-counters +events):\n%s", diff)
	}
}

func groups(t *testing.T, v task, want samples.Counts) {
	t.Helper()
	got := map[string]int{}
	for _, g := range v.ErrorGroups {
		got[g.Code] += g.Count
	}
	codes := maps.Clone(want.Codes)
	if want.Errors > 0 {
		codes["SYSTEM_ERROR"] = want.Errors
	}
	if diff := cmp.Diff(codes, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("error groups (-want +got):\n%s", diff)
	}
}

// catalogue checks the writes of the handler: each good row once, every SKU, and for a SKU with
// several rows the last good one.
func catalogue(t *testing.T, db *ledger.DB, want samples.Counts) {
	t.Helper()
	var n, writes int
	err := db.Read.Raw("SELECT coalesce(sum(writes), 0) FROM catalogue").Scan(&writes).Error
	if err != nil || writes != want.Good {
		t.Errorf("the catalogue was written %d times, want %d (%v)", writes, want.Good, err)
	}
	if err := db.Read.Raw("SELECT count(*) FROM catalogue").Scan(&n).Error; err != nil || n != want.DistinctSKU {
		t.Errorf("the catalogue has %d SKUs, want %d (%v)", n, want.DistinctSKU, err)
	}
	for sku, last := range want.Last {
		var got struct {
			Name, Price string
			Writes      int
		}
		err := db.Read.Raw("SELECT name, price, writes FROM catalogue WHERE sku = ?", sku).Scan(&got).Error
		price, priceErr := decimal.NewFromString(got.Price)
		if err != nil || priceErr != nil || got.Name != last.Name ||
			!price.Equal(decimal.RequireFromString(last.Price)) || got.Writes != last.Writes {
			t.Errorf("%s = %+v (%v), want row %d: %+v", sku, got, err, last.Row, last)
		}
	}
}
