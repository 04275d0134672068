package operate_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestRemove_LastTenantWithKeys_KeepsSignInRequired: a service without any key treats each local
// caller as the owner. It must not become such a service again.
func TestRemove_LastTenantWithKeys_KeepsSignInRequired(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		s := fixture.New(t, fixture.Options{Ledger: url})
		tenants := operate.NewTenants(s.DB, s.Files, "shell:root", time.Now)
		keyed := func(want bool) {
			t.Helper()
			if any, err := access.New(s.DB, access.Options{}).Any(t.Context()); err != nil || any != want {
				t.Fatalf("Any = %v, %v, want %v", any, err, want)
			}
		}
		_, err := tenants.Remove(t.Context(), "acme", false)
		fine(t, err)
		keyed(false) // there was no key
		_, _, err = access.New(s.DB, access.Options{}).Create(t.Context(), "ann", access.Draft{Tenant: "acme", Name: "a", Role: access.Admin})
		fine(t, err)
		for range 2 {
			_, err = tenants.Remove(t.Context(), "acme", false)
			fine(t, err)
			keyed(true)
		}
		left, err := access.New(s.DB, access.Options{}).All(t.Context(), 0, 10)
		if err != nil || len(left) != 0 {
			t.Errorf("keys are left: %+v, %v", left, err)
		}
	})
}
