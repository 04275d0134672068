package operate_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestServiceFaultRows_OneTenantHasManyImports_OthersCountToo checks that the newest imports of each tenant
// count.
func TestServiceFaultRows_OneTenantHasManyImports_OthersCountToo(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		svc := fixture.New(t, fixture.Options{Ledger: url})
		add := func(tenant string, rows int) {
			t.Helper()
			num := svc.AddOf(t, tenant, "k", events.Draft{Row: 2, Params: []byte("{}")}).Num
			fine(t, svc.DB.Write.Exec(`UPDATE rollcall.tasks SET error = 1, enqueue = 0, columns = '["A"]' WHERE num = ?`, num).Error)
			fine(t, svc.DB.Write.Exec(`INSERT INTO rollcall.error_groups (task_num, status, code, col, print, count, first_row)
				VALUES (?, 'error', 'C', '', 'p', ?, 2)`, num, rows).Error)
		}
		for range 4 {
			add("acme", 1)
		}
		add("globex", 10)
		add("zeta", 20)
		svc.AddOf(t, "zeta", "k", events.Draft{Row: 2, Params: []byte("{}")}) // a task without rows in error
		got, err := operate.NewTenants(svc.DB, svc.Files, "", time.Now).ServiceFaultRows(t.Context(), 3, 2, 1)
		fine(t, err)
		want := []operate.TenantFaults{{Tenant: "acme", Kind: "k", Rows: 2}, {Tenant: "globex", Kind: "k", Rows: 10}, {Tenant: "zeta", Kind: "k", Rows: 20}}
		if !slices.Equal(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got, err := operate.NewTenants(svc.DB, svc.Files, "", time.Now).ServiceFaultRows(t.Context(), 2, 2, 1); err != nil || len(got) != 2 {
			t.Errorf("of at most two tenants: %+v, %v", got, err)
		}
	})
}
