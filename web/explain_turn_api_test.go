package web_test

import (
	"strings"
	"testing"
)

// TestExplain_OtherTenantsWait_NamesPartAndWeight: another tenant has rows of the kind to
// push. A paused tenant, and one whose rows are in Redis, takes no turns.
func TestExplain_OtherTenantsWait_NamesPartAndWeight(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	row := d.acme.imported("No,tel\nX,+14155550177\n") + ".1"
	d.globex.imported("No,tel\nX,+14155550177\n")
	d.split()
	fine(t, d.opt.Tasks.SetWeight(t.Context(), "acme", 3))
	r := d.acme.why(row, "NO_WORKER", "NOT_FED", "TENANT_TURN")
	if detail := r["detail"].(string); !strings.Contains(detail, "75 %") || !strings.Contains(detail, "1 other tenant has") {
		t.Errorf("its turn: %v", r)
	}
	fine(t, d.opt.Tasks.PauseTenant(t.Context(), "globex", true))
	d.acme.why(row, "NO_WORKER", "NOT_FED")
	fine(t, d.opt.Tasks.PauseTenant(t.Context(), "globex", false))
	d.acme.why(row, "NO_WORKER", "NOT_FED", "TENANT_TURN")
	fine(t, d.opt.Tasks.PauseTenant(t.Context(), "acme", true))
	d.acme.why(row, "NO_WORKER", "TENANT_PAUSED", "NOT_FED")
}
