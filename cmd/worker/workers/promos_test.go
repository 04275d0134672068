package workers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

func TestPromoParts_OfAnyCatalogue_HaveEachProductOnce(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		if err := MakeCatalogue(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		for tenant, c := range map[string]struct {
			products int
			brand    string
			want     []promoRange
		}{
			"none":    {0, "", nil},
			"few":     {1, "", []promoRange{{"1", "1"}}},
			"full":    {3, "", []promoRange{{"1", "3"}}},
			"more":    {4, "", []promoRange{{"1", "3"}, {"4", "4"}}},
			"twice":   {6, "", []promoRange{{"1", "3"}, {"4", "6"}}},
			"branded": {9, "Acme", []promoRange{{"2", "6"}, {"8", "8"}}},
			"unknown": {9, "Stark", nil},
		} {
			stock(t, db, tenant, c.products)
			got, err := promoRanges(t.Context(), db, worker.Plan[PromoParams]{
				Tenant: tenant, Params: PromoParams{Brand: c.brand},
			}, 3)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v %s", tenant, err, diff)
			}
		}
	})
}

// stock adds products 1 to n. Those with an even number have the brand Acme.
func stock(t *testing.T, db *ledger.DB, tenant string, n int) {
	t.Helper()
	for i := 1; i <= n; i++ {
		_, err := db.Writer().Exec(t.Context(), `INSERT INTO catalogue (tenant, sku, name, price, brand, job_id)
			VALUES (@tenant, @sku, '', 1, @brand, '')`, ledger.Args{
			"tenant": tenant, "sku": fmt.Sprint(i), "brand": []string{"Acme", "Globex"}[i%2],
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
