package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// actsOf returns the acts of an audit log with their targets, newest first.
func (r reply) actsOf() string {
	r.t.Helper()
	list, _ := r.items()
	var out []string
	for _, e := range list {
		out = append(out, e["act"].(string)+" "+e["target"].(string))
	}
	return strings.Join(out, "\n") + "\n"
}

// TestOwnerAudit_KeysAndTenants_AreInItAndOutliveThem: only the owner reads the entries of the
// owner's keys, of requests refused with them, and of acts on tenants.
func TestOwnerAudit_KeysAndTenants_AreInItAndOutliveThem(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id, owner := l.owner()
		lost, gone := l.owner()
		_, secret := l.member("acme", access.Admin)
		_, other := l.member("default", access.Admin)
		_, err := l.opt.Access.Rotate(t.Context(), "test", "", lost, 0)
		fine(t, err)
		fine(t, l.opt.Access.Revoke(t.Context(), "test", "", lost))
		gone.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
		wrong := gone.secret[:12] + strings.Repeat("a", len(gone.secret)-12)
		l.as(wrong).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN") // the checksum of the key is wrong
		owner.limits("acme", `{"slots":3,"weight":2}`).is(http.StatusOK)
		owner.postTo(tenantsPath+"/acme/pause", "").is(http.StatusOK)
		owner.look(tenantsPath + "/acme/export").is(http.StatusOK)
		if got := l.as(secret).look("/api/v1/audit").actsOf(); !strings.Contains(got, "pause-tenant acme") || strings.Contains(got, lost) {
			t.Errorf("acme reads\n%s", got)
		}
		owner.call(http.MethodDelete, tenantsPath+"/acme?confirm=acme", "").says("emptied", 0)
		owner.postTo("/api/v1/queues/products.import/pause", "").is(http.StatusOK)
		want := "pause products.import\nremove-tenant acme\nexport-tenant acme\npause-tenant acme\nlimits acme\nrefused " + lost +
			"\nrevoke-key " + lost + "\nrotate-key " + lost + "\n"
		got := owner.look("/api/v1/audit").actsOf()
		if !strings.HasPrefix(got, want) || !strings.Contains(got, "create-key "+id+"\n") {
			t.Errorf("the owner reads\n%s, want\n%s", got, want)
		}
		lines := owner.look(exportPath).acts()
		if text := strings.Join(lines, " "); !strings.Contains(text, "limits pause-tenant export-tenant remove-tenant pause export-audit") {
			t.Errorf("the export has %s", text)
		}
		tells(t, owner.page("/ops/audit"), "rejected request", lost)
		first, next := owner.look("/api/v1/audit?limit=4").items()
		rest, _ := owner.look("/api/v1/audit?cursor=" + next).items()
		all, _ := owner.look("/api/v1/audit").items()
		if len(first) != 4 || len(rest) != len(all)-4 || rest[0]["act"] != "pause-tenant" {
			t.Errorf("%d entries by page, %d in all", len(first)+len(rest), len(all))
		}
		for _, path := range []string{"/api/v1/audit", exportPath, "/ops/audit"} {
			if r := l.as(other).look(path, "Accept", "*/*"); r.status != http.StatusOK || strings.Contains(r.body, lost) || strings.Contains(r.body, "acme") {
				t.Errorf("an admin of the tenant of the service reads at %s: %s", path, r.body)
			}
		}
		list, err := l.opt.Audit.List(t.Context(), audit.Operators("acme"), 0, 10)
		if fine(t, err); len(list) != 1 {
			t.Errorf("of the audit of acme remains %+v", list)
		}
	})
}

// TestOwnerAudit_FloodOfATenant_LeavesRoomForTheOwner: many refused credentials of one tenant do
// not keep refused credentials of other tenants out of the audit logs of these tenants.
func TestOwnerAudit_FloodOfATenant_LeavesRoomForTheOwner(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	_, boss := l.member("globex", access.Admin)
	flood := func(tenant string, n int) {
		for range n {
			id, secret := l.member(tenant, access.Viewer)
			fine(t, l.opt.Access.Revoke(t.Context(), "test", tenant, id))
			l.as(secret).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
		}
	}
	flood("acme", 60)
	flood("globex", 1)
	lost, gone := l.owner()
	fine(t, l.opt.Access.Revoke(t.Context(), "test", "", lost))
	gone.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	for name, r := range map[string]reply{"the owner": owner.look("/api/v1/audit"), "globex": l.as(boss).look("/api/v1/audit")} {
		if got := r.actsOf(); !strings.HasPrefix(got, "refused ") {
			t.Errorf("%s reads\n%s", name, got)
		}
	}
	list, err := l.opt.Audit.List(t.Context(), audit.Operators("acme"), 0, 500)
	fine(t, err)
	refused := 0
	for i := range list {
		if list[i].Act == "refused" {
			refused++
		}
	}
	if refused != 50 {
		t.Errorf("acme has %d entries of refusals, want 50", refused)
	}
}
