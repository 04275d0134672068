package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// estate is a tenant with an object of each kind that a path can name.
type estate struct {
	*lab
	name string
	ids  map[string]string // by the part of a path that the ID completes
}

// nothing holds IDs of objects that do not exist.
var nothing = map[string]string{
	"/tasks/:id": unknownID, "/events/:id": unknownID + ".1", "/files/:id": unknownID, "/webhooks/:id": unknownID, "/schedules/:id": unknownID,
	"/keys/:id": "key_aaaaaaaa", "/access/:id": "key_aaaaaaaa", "/tenants/:tenant": "nobody", "/deliveries/:delivery": unknownID,
	"/ops/rows/:id": unknownID + ".1", "/rows/:seq": "1", "/:act": "pause", "/uploads/:id": unknownID, "/mappings/:id": unknownID,
	"/imports/:upload": unknownID,
}

// estate creates the objects of a tenant.
func (l *lab) estate(tenant string) *estate {
	l.t.Helper()
	key, secret := l.member(tenant, access.Admin)
	e := &estate{lab: l.as(secret), name: tenant}
	e.tenant = tenant
	upload := strings.TrimPrefix(e.begins("a.csv", 10), "/api/v1/uploads/")
	plan, hook := e.schedule(`{}`), e.hook(`{"url":"http://127.0.0.1:1/x"}`)
	task := e.accepted("a.csv", rows(3), "")
	e.split()
	e.move(task, events.Finish, nil, 1, 2, 3)
	e.deliver()
	list, _ := e.look(hooksPath + "/" + hook + "/deliveries").items()
	e.ids = map[string]string{
		"/tasks/:id": task, "/events/:id": task + ".1", "/webhooks/:id": hook, "/schedules/:id": plan,
		"/files/:id": e.look("/api/v1/tasks/" + task).object()["source"].(map[string]any)["file_id"].(string),
		"/keys/:id":  key, "/access/:id": key, "/tenants/:tenant": tenant, "/deliveries/:delivery": list[0]["id"].(string),
		"/ops/rows/:id": task + ".1", "/rows/:seq": "1", "/:act": "pause",
		"/uploads/:id": upload, "/imports/:upload": upload, "/mappings/:id": e.remembered(),
	}
	return e
}

// bodies returns a body for each route that reads its body before it looks up the object of the path.
func (e *estate) bodies() map[string]string {
	task := e.ids["/tasks/:id"]
	return map[string]string{
		"POST /api/v1/tasks/:id/jobs": `{"rows":[{"SKU":"A"}]}`, "PUT /api/v1/tenants/:tenant/limits": `{"slots":1}`,
		"POST /api/v1/files/:id/links": `{}`, "PATCH /api/v1/uploads/:id": "x",
		"POST /api/v1/keys/:id/rotate": `{}`, "PATCH /api/v1/events/:id": `{"note":"x"}`,
		"PATCH /api/v1/schedules/:id":     `{"name":"x"}`,
		"POST /api/v1/tasks/:id/resubmit": `{"ids":["` + task + `.1"]}`,
		"POST /api/v1/tasks/:id/skip":     `{"ids":["` + task + `.1"]}`,
		"POST /api/v1/tasks/:id/undo":     `{"act_id":"x"}`,

		"POST /api/v1/tasks/:id/rows/cancel": `{"ids":["` + task + `.1"]}`,
		"POST /api/v1/tasks/:id/repair":      `{"ids":["` + task + `.1"],"patch":{"set":{"Name":"x"}}}`,
	}
}

// filled returns a path with IDs.
func filled(path string, ids map[string]string) string {
	for part, id := range ids {
		path = strings.Replace(path, part, part[:strings.Index(part, ":")]+id, 1)
	}
	return path
}

// TestAnotherTenantsThingsAreNotThere: each route with an ID answers a caller of another tenant, and
// the owner, as if the object did not exist.
func TestAnotherTenantsThingsAreNotThere(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.AllowPrivate = true })
	acme, globex := l.estate("acme"), l.estate("globex")
	_, owner := l.owner()
	for _, one := range []struct {
		of, by *estate
	}{{acme, globex}, {globex, acme}, {acme, &estate{lab: owner, name: "the owner"}}} {
		if n := l.strange(one.of, one.by); n < 50 {
			t.Errorf("only %d routes were tried as %s", n, one.by.name)
		}
	}
	acme.strangerLists(globex)
	globex.strangerLists(acme)
	for _, e := range []*estate{acme, globex} {
		if status := e.look("/api/v1/tasks/" + e.ids["/tasks/:id"]).object()["status"]; status != "finished" {
			t.Errorf("the task of %s is %v afterwards", e.name, status)
		}
		e.look(keysPath).is(http.StatusOK)
	}
}

// ownersKeyPaths lists the routes with which the owner reads and revokes a key of any tenant.
var ownersKeyPaths = []string{"/api/v1/keys/:id", "/api/v1/keys/:id/audit", "/ops/access/:id"}

// strange calls each route with IDs of one tenant as another tenant, and returns the number of routes.
func (l *lab) strange(of, by *estate) (tried int) {
	l.t.Helper()
	for _, route := range l.api.Routes() {
		path := route.Path
		if route.Scope == "" || !strings.Contains(path, ":") || strings.Contains(path, ":kind") || strings.Contains(path, "/:queue") ||
			strings.Contains(path, "/:node") || path == limitsPath+"/:act" { // these do not name an object of a tenant
			continue
		}
		if by.ids == nil && (strings.Contains(path, "/:tenant") || slices.Contains(ownersKeyPaths, path)) || by.ids != nil && strings.HasPrefix(route.Scope, "service:") {
			continue // the owner, and no other caller, reaches other tenants by this route
		}
		tried++
		at, nowhere := filled(path, of.ids), filled(path, nothing)
		if strings.HasPrefix(path, "/api/") {
			by.refusedAlike(route.Method, at, nowhere, of.bodies()[route.Method+" "+path])
			continue
		}
		header := []string{"Accept", htmlType}
		if route.Method != http.MethodGet {
			header = append(header, "Content-Type", formType)
		}
		send := ""
		if route.Method == http.MethodPost && strings.HasSuffix(path, "/corrections") {
			send, header[3] = form(file("a.csv", rows(1))), multipartType
		}
		if r := by.call(route.Method, at, send, header...); r.status != http.StatusNotFound {
			l.t.Errorf("%s %s of %s as %s answered %d: %s", route.Method, path, of.name, by.name, r.status, r.body)
		}
	}
	return tried
}

const limitsPath = "/ops/limits"

// strangerLists checks that the lists of a tenant contain no objects of another tenant, and that its requests
// cannot use them.
func (e *estate) strangerLists(other *estate) {
	e.t.Helper()
	for _, path := range []string{"/api/v1/tasks", hooksPath, plansPath, keysPath, "/", "/ops/tasks", "/ops/webhooks", "/ops/schedules", "/ops/access"} {
		body := e.look(path).body
		for _, id := range other.ids {
			if len(id) > 10 && strings.Contains(body, id) {
				e.t.Errorf("%s shows %s a thing of %s: %s", path, e.name, other.name, id)
			}
		}
	}
	parent := e.postTo("/api/v1/tasks", `{"kind":"products.import","open":true,"parent_id":"`+other.ids["/tasks/:id"]+`"}`)
	parent.refuses(http.StatusUnprocessableEntity, "PARENT_NOT_FOUND")
	next := e.postTo("/api/v1/tasks", `{"kind":"products.import","open":true,"options":{"after":["`+other.ids["/tasks/:id"]+`"]}}`)
	next.refuses(http.StatusUnprocessableEntity, "AFTER_NOT_FOUND")
	again := e.upload("a.csv", rows(3), `{"dedup":"reuse"}`)
	if again.object()["tenant"] != e.name || again.object()["id"] == other.ids["/tasks/:id"] {
		e.t.Errorf("the same file of another tenant became %s", again.body)
	}
}
