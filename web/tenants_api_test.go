package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

const tenantsPath = "/api/v1/tenants"

// TestTenants_Owner_ListsThemWithTheirUse: the list is sorted by name, and its pages have no gaps.
func TestTenants_Owner_ListsThemWithTheirUse(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		_, owner := l.owner()
		for _, tenant := range []string{"globex", "acme"} {
			_, secret := l.member(tenant, access.Admin)
			l.as(secret).accepted("a.csv", rows(3), "")
		}
		l.split()
		owner.limits("initech", `{"slots":9,"paused":true}`).is(http.StatusOK)
		owner.limits("acme", `{"rate":60}`).is(http.StatusOK)
		var names []string
		at := tenantsPath + "?limit=2"
		for next := "first"; next != ""; {
			var list []map[string]any
			list, next = owner.look(at).items()
			for _, one := range list {
				names = append(names, one["tenant"].(string))
			}
			if len(list) > 2 {
				t.Errorf("a page of %d", len(list))
			}
			at = tenantsPath + "?limit=2&cursor=" + next
		}
		if got := strings.Join(names, " "); got != "acme globex initech" {
			t.Errorf("the tenants are %q", got)
		}
		list, _ := owner.look(tenantsPath).items()
		use := list[0]["use"].(map[string]any)
		if use["tasks"] != 1.0 || use["rows"] != 3.0 || use["bytes"] == 0.0 || list[0]["rate"] != 60.0 || list[0]["paused"] != false {
			t.Errorf("acme uses %v", list[0])
		}
		if list[2]["paused_by_owner"] != true || list[2]["slots"] != 9.0 || list[2]["use"].(map[string]any)["tasks"] != 0.0 {
			t.Errorf("initech is %v", list[2])
		}
	})
}

// TestTenant_Owner_PausesExportsAndRemovesIt: a removal needs the name, and no unfinished task.
func TestTenant_Owner_PausesExportsAndRemovesIt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	id, secret := l.member("acme", access.Admin)
	acme := l.as(secret)
	acme.tenant = "acme"
	task := acme.accepted("a.csv", rows(1), "")
	l.split()
	at := tenantsPath + "/acme"
	owner.postTo(at+"/pause", "").says("paused", true, "paused_by_owner", true)
	acme.postTo(at+"/resume", "").refuses(http.StatusConflict, "PAUSED_BY_OWNER")
	owner.postTo(at+"/resume", "").says("paused", false)
	acme.postTo(at+"/pause", "").says("paused", true, "paused_by_owner", false)
	acme.postTo(at+"/resume", "").says("paused", false)
	acme.postTo(tenantsPath+"/globex/pause", "").refuses(http.StatusNotFound, "NOT_FOUND")
	_, other := l.member("default", access.Admin)
	owner.again("k", "/tenants/acme/pause", "", "").is(http.StatusOK) // the owner's idempotency keys belong to the tenant of the service
	if r := l.as(other).again("k", "/tenants/acme/pause", "", ""); r.status == http.StatusOK || strings.Contains(r.body, "slots") {
		t.Errorf("an admin of the owner's tenant gets the answer to the owner: %d %s", r.status, r.body)
	}
	owner.postTo(at+"/resume", "").says("paused", false)

	r := owner.look(at + "/export")
	if r.status != http.StatusOK || !strings.Contains(r.body, task) || !strings.Contains(r.body, id) || strings.Contains(r.body, secret) ||
		r.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("the export: %d %v %s", r.status, r.header, r.body)
	}
	owner.look(tenantsPath+"/nobody/export").refuses(http.StatusNotFound, "NOT_FOUND")

	remove := func(query string) reply { return owner.call(http.MethodDelete, at+query, "") }
	for _, query := range []string{"", "?confirm=globex"} {
		remove(query).refuses(http.StatusUnprocessableEntity, "CONFIRM_REMOVAL")
	}
	remove("?confirm=acme").refuses(http.StatusConflict, "TENANT_UNFINISHED")
	acme.look("/api/v1/tasks/" + task).is(http.StatusOK)
	remove("?confirm=acme&cancel=maybe").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	remove("?cancel=true").refuses(http.StatusUnprocessableEntity, "CONFIRM_REMOVAL")
	acme.look("/api/v1/tasks/"+task).says("status", "running")
	remove("?confirm=acme&cancel=true").refuses(http.StatusConflict, "TENANT_CANCELING", "1 tasks")
	if got := acme.task(task).Status; got != "canceling" {
		t.Errorf("the task is %s", got)
	}
	acme.move(task, events.Canceled, nil, 1)
	remove("?confirm=acme").says("emptied", 1)
	l.pass(2e9)
	acme.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")
	owner.call(http.MethodDelete, tenantsPath+"/nobody?confirm=nobody", "").refuses(http.StatusNotFound, "NOT_FOUND")
	list, err := l.opt.Tenants.List(t.Context(), "", 10)
	if fine(t, err); len(list) != 2 || list[0].Name != "acme" { // acme's emptied task stays, and "default" has a key
		t.Errorf("tenants afterwards: %+v", list)
	}
}
