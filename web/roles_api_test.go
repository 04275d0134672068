package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// TestRoles_EachRoute_IsOpenByItsScope calls each route that has a scope, pages included, as
// each role. A role that lacks the scope gets 403, and the other roles do not.
func TestRoles_EachRoute_IsOpenByItsScope(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	as := map[access.Role]*lab{access.Owner: owner}
	for _, role := range access.Roles() {
		_, secret := l.member("default", role)
		as[role] = l.as(secret)
	}
	tried := 0
	for _, route := range l.api.Routes() {
		if route.Scope == "" {
			continue
		}
		tried++
		for role, member := range as {
			member.opens(route, role)
		}
		if r := l.call(route.Method, route.Path, "{", "Content-Type", jsonType); r.status != http.StatusUnauthorized {
			t.Errorf("%s %s without a key answered %d", route.Method, route.Path, r.status)
		}
	}
	if tried < 100 {
		t.Errorf("only %d routes were tried", tried)
	}
}

// opens checks that a role opens a route if it has the scope, and only then.
func (l *lab) opens(route web.Route, role access.Role) {
	l.t.Helper()
	r := l.call(route.Method, route.Path, "{", "Content-Type", jsonType)
	may := role.May(access.Scope(route.Scope))
	switch {
	case may != (r.status != http.StatusForbidden) || r.status == http.StatusUnauthorized:
		l.t.Errorf("%s %s as %s answered %d: %s", route.Method, route.Path, role, r.status, r.body)
	case !may && strings.HasPrefix(route.Path, "/api/"):
		r.refuses(http.StatusForbidden, "SCOPE_MISSING", route.Scope, string(role))
		if !strings.Contains(r.header.Get("WWW-Authenticate"), `scope="`+route.Scope+`"`) {
			l.t.Errorf("WWW-Authenticate = %q", r.header.Get("WWW-Authenticate"))
		}
	}
}

// ownerPaths lists the routes of the owner, which concern all tenants.
var ownerPaths = []string{
	"/api/v1/stats", "/api/v1/nodes", "/api/v1/queues/:queue/shards", "/api/v1/queues/:queue/pause", "/api/v1/queues/:queue/resume",
	"/api/v1/queues/:queue/reshard", "/api/v1/nodes/:node/drain", "/api/v1/nodes/:node/undrain", "/metrics", "/ops/nodes",
	"/api/v1/tenants", "/api/v1/tenants/:tenant", "/api/v1/tenants/:tenant/export", "/ops/nodes/:node/:act", "/ops/tenants", "/ops/tenants/:tenant", "/ops/tenants/:tenant/control/:act", "/ops/queues/:queue/control/pause", "/ops/queues/:queue/control/resume", "/ops/queues/:queue/control/reshard",
}

// TestRoles_WhatAllTenantsShare_IsForTheOwner compares the route table with the list of paths that
// need a scope of the owner.
func TestRoles_WhatAllTenantsShare_IsForTheOwner(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, path := range ownerPaths {
		want[path] = true
	}
	for _, route := range newLab(t).api.Routes() {
		if got := strings.HasPrefix(route.Scope, "service:"); got != want[route.Path] {
			t.Errorf("%s %s takes %q, for the owner alone: %v", route.Method, route.Path, route.Scope, want[route.Path])
		}
	}
	for _, role := range access.Roles() {
		if role.May(access.ServiceRead) || role.May(access.ServiceWrite) {
			t.Errorf("%s has a scope of the owner", role)
		}
	}
}

// TestOwnerKey_OfAnyTenant_IsNotThere: no admin can find, change or create a key of the owner, in
// the API or on a page. The owner works in the tenant of the service.
func TestOwnerKey_OfAnyTenant_IsNotThere(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id, owner := l.owner()
	for _, tenant := range []string{"default", "acme"} {
		_, secret := l.member(tenant, access.Admin)
		admin := l.as(secret)
		for _, one := range []struct{ method, path string }{
			{http.MethodDelete, keysPath + "/" + id}, {http.MethodPost, keysPath + "/" + id + "/rotate"}, {http.MethodGet, keysPath + "/" + id + "/audit"},
		} {
			admin.call(one.method, one.path, "").refuses(http.StatusNotFound, "NOT_FOUND")
		}
		for _, path := range []string{keysPath, "/ops/access"} {
			if r := admin.look(path); r.status != http.StatusOK || strings.Contains(r.body, id) {
				t.Errorf("%s shows the key of the owner: %d %s", path, r.status, r.body)
			}
		}
		admin.postTo(keysPath, `{"name":"x","role":"owner"}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "viewer, reviewer, operator or admin")
		if r := admin.submits("/ops/access", "name", "x", "role", "owner"); r.status != http.StatusUnprocessableEntity {
			t.Errorf("the page makes a key of the owner: %d", r.status)
		}
	}
	owner.postTo(keysPath, `{"name":"x","role":"owner"}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	task := owner.accepted("a.csv", rows(1), "")
	owner.look("/api/v1/tasks/"+task).says("tenant", "default", "created_by", id)
}

// TestOwnerKey_ItsLinks_EndWithIt: download links of a key of the owner end when the key is
// revoked, like those of other keys.
func TestOwnerKey_ItsLinks_EndWithIt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id, owner := l.owner()
	task := owner.accepted("a.csv", rows(1), "")
	file := owner.look("/api/v1/tasks/" + task).object()["source"].(map[string]any)["file_id"].(string)
	link := owner.postTo("/api/v1/files/"+file+"/links", `{}`).object()["url"].(string)
	l.look(link).is(http.StatusOK)
	fine(t, l.opt.Access.Revoke(t.Context(), "test", "", id))
	l.look(link).refuses(http.StatusForbidden, "LINK_ENDED")
}

// TestLocalUser_WithoutKeys_IsTheOwner: once there is a key, requests without a key are rejected.
func TestLocalUser_WithoutKeys_IsTheOwner(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/api/v1/nodes").is(http.StatusOK)
	l.look("/metrics").is(http.StatusOK)
	l.member("default", access.Admin)
	l.look("/api/v1/nodes").is(http.StatusUnauthorized)
}
