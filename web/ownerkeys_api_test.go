package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestOwnerKeys_AllTenants_AreListedAndRevoked: the owner lists and revokes keys of all tenants. An admin of a
// tenant reaches no key of another tenant, nor of the owner.
func TestOwnerKeys_AllTenants_AreListedAndRevoked(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id, owner := l.owner()
		lost, _ := l.owner()
		ids, secrets := map[string]string{}, map[string]string{}
		for _, tenant := range []string{"acme", "globex", "default"} {
			ids[tenant], secrets[tenant] = l.member(tenant, access.Admin)
		}
		listed := func(who *lab, query string) string {
			list, _ := who.look(keysPath + query).items()
			var got []string
			for _, k := range list {
				got = append(got, k["id"].(string))
				if k["secret"] != nil {
					t.Errorf("a secret: %v", k)
				}
			}
			return strings.Join(got, " ")
		}
		first, next := owner.look(keysPath + "?limit=2").items()
		if len(first) != 2 || listed(owner, "?limit=3&cursor="+next) != ids["acme"]+" "+lost+" "+id {
			t.Errorf("page by page: %v, then %s", first, listed(owner, "?cursor="+next))
		}
		for query, want := range map[string]string{
			"?tenant=acme": ids["acme"], "?tenant=default": ids["default"], "?tenant=nobody": "",
			"": strings.Join([]string{ids["default"], ids["globex"], ids["acme"], lost, id}, " "),
		} {
			if got := listed(owner, query); got != want {
				t.Errorf("the owner lists %q: %s, want %s", query, got, want)
			}
		}
		owner.look(keysPath+"?tenant=a%20b").refuses(http.StatusNotFound, "NOT_FOUND")
		for tenant, secret := range secrets {
			admin := l.as(secret)
			for _, query := range []string{"", "?tenant=" + tenant} {
				if got := listed(admin, query); got != ids[tenant] {
					t.Errorf("%s lists %q: %s", tenant, query, got)
				}
			}
			for other, key := range ids {
				if other == tenant {
					continue
				}
				admin.look(keysPath+"?tenant="+other).refuses(http.StatusNotFound, "NOT_FOUND")
				admin.call(http.MethodDelete, keysPath+"/"+key, "").refuses(http.StatusNotFound, "NOT_FOUND")
				if r := admin.look("/ops/access?tenant="+other, "Accept", htmlType); r.status != http.StatusNotFound {
					t.Errorf("%s reads the page of %s: %d", tenant, other, r.status)
				}
				admin.look("/api/v1/queues/products.import/morgue?tenant="+other).refuses(http.StatusNotFound, "NOT_FOUND")
			}
		}
		page := owner.page("/ops/access")
		tells(t, page, "globex", "acme")
		if strings.Contains(page, ids["acme"]+"/rotate") || !strings.Contains(page, ids["default"]+"/rotate") ||
			!strings.Contains(page, ids["acme"]+"/revoke") {
			t.Errorf("the buttons of the owner:\n%s", page)
		}
		if one := owner.page("/ops/access?tenant=acme"); !strings.Contains(one, ids["acme"]) || strings.Contains(one, ids["globex"]) {
			t.Errorf("the page of one tenant:\n%s", one)
		}
		for _, key := range []string{ids["acme"], lost} {
			owner.postTo(keysPath+"/"+key+"/rotate", "{}").refuses(http.StatusNotFound, "NOT_FOUND")
			if r := owner.submits("/ops/access/"+key+"/rotate", "meant", "yes"); r.status != http.StatusNotFound {
				t.Errorf("the page rotates a key of another: %d", r.status)
			}
		}
		owner.call(http.MethodDelete, keysPath+"/"+ids["acme"], "").is(http.StatusNoContent)
		owner.call(http.MethodDelete, keysPath+"/"+lost+"?with_made=true", "").is(http.StatusOK)
		_, done := owner.asked("/ops/access/" + ids["globex"] + "/revoke")
		tells(t, done.body, "revoked")
		for _, tenant := range []string{"acme", "globex"} {
			l.as(secrets[tenant]).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
		}
		_, err := l.opt.Access.StartSession(t.Context(), access.Person{Issuer: "https://x.example", Subject: "u", Tenant: "acme", Role: access.Viewer}, time.Hour)
		fine(t, err)
		people, _ := owner.look(keysPath + "?tenant=acme&limit=1").items()
		for range 2 { // the second changes nothing
			owner.call(http.MethodDelete, keysPath+"/"+people[0]["id"].(string), "").is(http.StatusNoContent)
		}
		got := owner.look("/api/v1/audit").actsOf()
		if strings.Count(got, "revoke-person "+people[0]["id"].(string)) != 1 {
			t.Errorf("the audit of the owner lacks the person:\n%s", got)
		}
		for _, key := range []string{ids["acme"], ids["globex"], lost} {
			if strings.Count(got, "revoke-key "+key) != 1 {
				t.Errorf("the audit of the owner lacks %s:\n%s", key, got)
			}
		}
		if list, _ := owner.look(keysPath + "/" + ids["acme"] + "/audit").items(); len(list) != 2 || list[0]["by"] != id {
			t.Errorf("the audit of the key: %v", list)
		}
		owner.look("/api/v1/queues/products.import/morgue?tenant=acme").items()
	})
}
