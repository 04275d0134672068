package operate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// bearer sends a token of an issuer, as a user of a tenant.
func bearer(t *testing.T, s *fixture.Service, subject, tenant string) (access.Grant, error) {
	p := access.Person{Issuer: "https://x.example", Subject: subject, Name: jane, Tenant: tenant, Role: access.Admin, Issued: time.Now()}
	return access.New(s.DB, access.Options{}).Token(t.Context(), subject+tenant, "192.0.2.1",
		func(context.Context, string) (access.Person, error) { return p, nil })
}

// TestRemove_WhatTheOwnerHasSet_Remains: a new token of the issuer gets the same limits, and does
// not admit a user who was revoked.
func TestRemove_WhatTheOwnerHasSet_Remains(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		ctx, s := t.Context(), fixture.New(t, fixture.Options{Ledger: url})
		tenants := operate.NewTenants(s.DB, s.Files, "shell:root", time.Now)
		caps := tasks.Limits{Slots: 5, Window: 6, Rate: 7, Tasks: 8, Rows: 9, Bytes: 10, Priority: 11, Schedules: 12}
		for _, tenant := range []string{"acme", "globex"} {
			fine(t, s.Tasks.SetCaps(ctx, tenant, caps))
			fine(t, s.Tasks.SetWeight(ctx, tenant, 4))
			lower := caps
			lower.Slots = 3
			fine(t, s.Tasks.SetLimits(ctx, tenant, lower))
			fine(t, s.Tasks.StopTenant(ctx, tenant, true))
			for _, subject := range []string{"mallory", "ann"} {
				g, err := bearer(t, s, subject, tenant)
				fine(t, err)
				if subject == "mallory" {
					fine(t, access.New(s.DB, access.Options{}).Revoke(ctx, "boss", tenant, g.Key))
				}
			}
		}
		fine(t, s.Tasks.SetLimits(ctx, "initech", tasks.Limits{Slots: 3}))
		fine(t, s.Tasks.PauseTenant(ctx, "initech", true))
		for range 2 {
			for _, tenant := range []string{"acme", "initech"} {
				_, err := tenants.Remove(ctx, tenant, false)
				fine(t, err)
			}
		}
		want := map[string]operate.Tenant{}
		for tenant, slots := range map[string]int64{"acme": 5, "globex": 3, "initech": 0} {
			one := operate.Tenant{Name: tenant}
			if tenant != "initech" {
				one.Caps, one.State = caps, tasks.TenantState{Paused: true, Stopped: true}
				one.Limits = caps
				one.Limits.Slots, one.Limits.Weight = slots, 4
			}
			want[tenant] = one
		}
		for tenant, one := range want {
			got, err := tenants.Get(ctx, tenant)
			fine(t, err)
			if diff := cmp.Diff(one, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tenant, diff)
			}
			if _, err := bearer(t, s, "mallory", tenant); tenant != "initech" && !errors.Is(err, access.ErrRevoked) {
				t.Errorf("a token of a person that %s has revoked: %v", tenant, err)
			}
		}
		list, err := access.New(s.DB, access.Options{}).List(ctx, "acme", 0, 10)
		if fine(t, err); len(list) != 1 || list[0].Name != list[0].ID {
			t.Errorf("of the people remains %+v", list)
		}
		list, err = access.New(s.DB, access.Options{}).List(ctx, "globex", 0, 10)
		if fine(t, err); len(list) != 2 || list[0].Name != jane {
			t.Errorf("of the other tenant remains %+v", list)
		}
		if _, err := bearer(t, s, "ann", "acme"); err != nil {
			t.Errorf("a token of a person that nobody has revoked: %v", err)
		}
	})
}

// TestRemove_NoName_LeavesTheKeysOfTheOwner: these keys have no tenant.
func TestRemove_NoName_LeavesTheKeysOfTheOwner(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Options{Ledger: ledgers.SQLite(t)})
	keys := access.New(s.DB, access.Options{})
	_, secret, err := keys.CreateOwner(t.Context(), "shell", access.Draft{Name: "owner"})
	fine(t, err)
	if _, err := operate.NewTenants(s.DB, s.Files, "shell", time.Now).Remove(t.Context(), "", false); !errors.Is(err, operate.ErrNoTenant) {
		t.Errorf("Remove = %v", err)
	}
	if _, err := keys.Check(t.Context(), secret, "192.0.2.1"); err != nil {
		t.Errorf("the key of the owner: %v", err)
	}
}
