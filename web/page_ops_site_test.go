package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
)

// page requests a page of operators.
func (l *lab) page(path string) string {
	l.t.Helper()
	r := l.look(path, "Accept", htmlType)
	if r.status != http.StatusOK {
		l.t.Fatalf("GET %s = %d\n%s", path, r.status, r.body)
	}
	return r.body
}

// TestOpsPages_Operator_ShowTheirTenantAndTheOwnerAll: an operator sees the counts and keys of the
// tenant, and the owner sees the counts of all tenants.
func TestOpsPages_Operator_ShowTheirTenantAndTheOwnerAll(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme, owner := d.acme.in(t), d.home.in(t)
	fine(t, d.opt.Queue.Admin().Note(t.Context(), nil))
	d.pass(2 * time.Minute)

	home := owner.page("/ops")
	tells(t, home, "1 of 2 queues needs attention", patients, "No worker", "No process runs jobs of the queue "+patients, "2 min", "3", "Last hour", "Figures as a table",
		"4 Mar 2026, 05:06:00 UTC", "0.0 3 0 0", "05:08:00 UTC", "120 3 0 0")
	if strings.Index(home, patients) > strings.Index(home, ">idle<") {
		t.Error("the queue that lags does not stand first")
	}
	tells(t, owner.page("/ops/queues/"+patients), patients, "No process runs jobs of the queue "+patients, "Start a worker", "No worker", "Oldest ready row 2 min", "Waiting 3",
		"of all tenants", "Shards", "no worker")
	for path, want := range map[string]string{"/ops": patients + ": No worker No process runs jobs of the queue " + patients, "/ops/queues/" + patients: "Oldest ready row 0 sec"} {
		own := acme.page(path)
		tells(t, own, want)
		for _, wrong := range []string{"Last hour", "In Redis", "Dead 0", "of all tenants", "no worker"} {
			if strings.Contains(words(own), wrong) {
				t.Errorf("%s shows a tenant %q:\n%s", path, wrong, words(own))
			}
		}
	}

	at := "/ops/queues/" + patients
	waiting := acme.page(at + "/waiting")
	tells(t, waiting, "Key Scheduled for Retries", "A", "none", "2 payloads", d.task+".1", "row 2", "B", "1 payload")
	for _, wrong := range []string{"4155550177", "4155550199", "globex"} {
		if strings.Contains(waiting, wrong) {
			t.Errorf("the list shows %q", wrong)
		}
	}
	if back := acme.page(at + "/waiting?by=id&dir=desc"); strings.Index(back, ">B<") > strings.Index(back, ">A<") ||
		!strings.Contains(back, `aria-sort="descending"><a href="/ops/queues/patients.import/waiting?by=id"`) {
		t.Errorf("backwards by key:\n%s", back)
	}
	if b := acme.page(at + "/waiting?prefix=B"); strings.Contains(b, ">A<") || !strings.Contains(b, ">B<") {
		t.Errorf("keys that begin with B:\n%s", b)
	}
	tells(t, acme.page(at+"/waiting?prefix=Z"), "No key of your tenant")
	tells(t, acme.page(at+"/keys"), "A 2", "B 1")
	tells(t, acme.page(at+"/busy"), "No jobs of your tenant are running")
	tells(t, acme.page(at+"/morgue"), "No dead jobs of your tenant")
	tells(t, owner.page("/ops/nodes"), "No worker is running", "Shards", patients)
	if r := acme.look("/ops/queues/nope", "Accept", htmlType); r.status != http.StatusNotFound {
		t.Errorf("a queue that is not there: %d", r.status)
	}
}

// TestOperatorsPagesAreForOperators: other users get an explanation, and callers without a key get the
// sign-in page.
func TestOperatorsPagesAreForOperators(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for role, want := range map[access.Role]int{
		access.Viewer: http.StatusForbidden, access.Reviewer: http.StatusForbidden,
		access.Operator: http.StatusOK, access.Admin: http.StatusOK,
	} {
		_, secret := l.member("default", role)
		for _, path := range []string{"/ops", "/ops/queues/products.import"} {
			r := l.as(secret).look(path, "Accept", htmlType)
			if r.status != want || !strings.Contains(r.header.Get("Content-Type"), htmlType) {
				t.Errorf("%s as %s: %d, want %d\n%s", path, role, r.status, want, r.body)
			}
		}
	}
	_, viewer := l.member("default", access.Viewer)
	tells(t, l.as(viewer).look("/ops", "Accept", htmlType).body, "Account: default viewer", "No access",
		"Your role, viewer, cannot open Operations. Ask an administrator of your tenant for the role operator.")
	_, operator := l.member("default", access.Operator)
	tells(t, l.as(operator).look("/ops/access", "Accept", htmlType).body, "Your role, operator, cannot open API keys.", "the role admin")
	for _, path := range []string{"/tasks/" + tasks.NewID() + "/cancel", "/exports"} { // a task may be an import or an export
		tells(t, l.as(viewer).submits(path).body, "Your role, viewer, does not allow this. Ask an administrator of your tenant for the role")
	}
	tells(t, l.look("/ops", "Accept", htmlType, "Cookie", "rollcall_session=gone").body, "Your session has ended. Sign in")
	if r := l.look("/ops", "Accept", htmlType); r.status != http.StatusUnauthorized || strings.Contains(r.body, "<span>Your session has ended.</span>") ||
		!strings.Contains(r.body, `value="/ops"`) {
		t.Errorf("without a key: %d\n%s", r.status, r.body)
	}
}
