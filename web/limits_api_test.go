package web_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
)

// limits sends limits of a tenant.
func (l *lab) limits(tenant, body string) reply {
	l.t.Helper()
	return l.call(http.MethodPut, limitsOf(tenant), body, "Content-Type", jsonType)
}

func limitsOf(tenant string) string { return "/api/v1/tenants/" + tenant + "/limits" }

// TestLimits_LocalUser_SetsThemAsTheOwner: the local user sets all limits, the weight and a pause.
// Wrong values are refused.
func TestLimits_LocalUser_SetsThemAsTheOwner(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const path = "/api/v1/tenants/default/limits"
	put := func(body string) reply { return l.limits("default", body) }
	zeros := `"slots":0,"window":0,"rate":0,"tasks":0,"rows":0,"bytes":0,"priority":0,"schedules":0`
	set := `"slots":25,"window":100,"rate":600,"tasks":7,"rows":5000000,"bytes":1000000000000,"priority":9,"schedules":5`
	view := func(numbers string, weight int, paused string) string {
		return `{"tenant":"default",` + numbers + `,"allowed":{` + numbers + `},"weight":` + strconv.Itoa(weight) + `,"run_hours":""` +
			`,"paused":` + paused + `,"paused_by_owner":` + paused + `}`
	}
	l.look(path).same(view(zeros, 1, "false"))
	put(`{` + set + `,"weight":3,"paused":true}`).same(view(set, 3, "true"))
	l.look(path).same(view(set, 3, "true"))
	put(`{"slots":null}`).same(view(zeros, 3, "true")) // a request without a pause or a weight leaves them
	put(`{"paused":null,"weight":1}`).same(view(zeros, 1, "true"))
	put(`{"paused":false}`).same(view(zeros, 1, "false"))
	for body, pointer := range map[string]string{
		`{"rate":1000001}`: "/rate", `{"bytes":1e18}`: "/bytes", `{"slots":-1}`: "/slots",
		`{"slots":1e3}`: "/slots", `{"window":1.5}`: "/window", `{"window":1000001}`: "/window", `{"slots":true}`: "",
		`{"paused":1}`: "/paused", `{"priority":1001}`: "/priority", `{"schedules":10001}`: "/schedules", `{"weight":1001}`: "/weight",
	} {
		put(body).refuses(http.StatusUnprocessableEntity, "INVALID_LIMITS", pointer)
	}
	put(`{"speed":1}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "/speed", "There are: slots, window, rate")
	for _, body := range []string{``, `[]`, `{"slots":1,"slots":2}`, `{"slots":1}x`} {
		put(body).refuses(http.StatusBadRequest, "MALFORMED_JSON")
	}
	l.call(http.MethodPut, path, `{}`).refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	l.look(limitsOf("a%20b")).refuses(http.StatusNotFound, "NOT_FOUND")
}

// TestLimits_OwnerHasSetNone_ThoseOfTheServiceBind: an operator cannot exceed the limits of the service.
func TestLimits_OwnerHasSetNone_ThoseOfTheServiceBind(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.RateLimit = 600 })
	_, owner := l.owner()
	_, secret := l.member("acme", access.Admin)
	acme := l.as(secret)
	acme.limits("acme", `{"rate":601}`).refuses(http.StatusUnprocessableEntity, "LIMIT_ABOVE_ALLOWED", "/rate", "at most 600")
	acme.limits("acme", `{"schedules":101}`).refuses(http.StatusUnprocessableEntity, "LIMIT_ABOVE_ALLOWED", "/schedules", "at most 100")
	acme.limits("acme", `{"rate":600,"schedules":100}`).says("rate", 600, "schedules", 100)
	owner.limits("acme", `{"rate":9000,"schedules":500}`).says("allowed.rate", 9000)
	acme.limits("acme", `{"rate":9000,"schedules":500}`).says("rate", 9000, "schedules", 500)
}

// TestLimits_OfTheOwner_AreLoweredByTheTenantAlone: operators of the tenant can set lower limits,
// but not higher ones.
func TestLimits_OfTheOwner_AreLoweredByTheTenantAlone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	_, secret := l.member("acme", access.Admin)
	acme := l.as(secret)
	_, stranger := l.member("globex", access.Admin)

	owner.limits("acme", `{"slots":10,"rate":600,"weight":4}`).says("slots", 10, "allowed.slots", 10, "weight", 4)
	acme.limits("acme", `{"slots":11}`).refuses(http.StatusUnprocessableEntity, "LIMIT_ABOVE_ALLOWED", "/slots", "at most 10")
	for lang, want := range map[string]string{"ru": "не больше 10", "vi": "tối đa 10", "zh": "最多允许 10"} {
		r := acme.call(http.MethodPut, limitsOf("acme"), `{"slots":11}`, "Content-Type", jsonType, "Accept-Language", lang)
		r.refuses(http.StatusUnprocessableEntity, "LIMIT_ABOVE_ALLOWED", want)
	}
	acme.limits("acme", `{"weight":9}`).refuses(http.StatusForbidden, "SCOPE_MISSING", "service:write")
	acme.look(limitsOf("acme")).says("slots", 10, "rate", 600, "weight", 4)
	acme.limits("acme", `{"slots":5,"tasks":3}`).says("slots", 5, "rate", 600, "tasks", 3, "allowed.slots", 10, "allowed.tasks", 0)
	acme.limits("acme", `{}`).says("slots", 10, "rate", 600, "tasks", 0)

	acme.limits("acme", `{"slots":5}`).says("slots", 5)
	owner.limits("acme", `{"slots":20}`).says("slots", 5, "allowed.slots", 20, "rate", 0)
	owner.limits("acme", `{"slots":4}`).says("slots", 4, "allowed.slots", 4)
	owner.limits("acme", `{"slots":6}`).says("slots", 6, "allowed.slots", 6)
	l.as(stranger).limits("acme", `{"slots":1}`).refuses(http.StatusNotFound, "NOT_FOUND")

	bad := acme.submits("/ops/limits", "slots", "7")
	if tells(t, bad.body, "Jobs at once: the owner of the service allows at most 6."); bad.status != http.StatusUnprocessableEntity {
		t.Errorf("a page lifts a limit: %d", bad.status)
	}
	tells(t, acme.submits("/ops/limits", "slots", "3").body, "The limits are saved", "empty: 6, the most that the owner allows", "empty: no limit")
	caps := owner.page("/ops/tenants/acme")
	tells(t, caps, "empty: no limit", "empty: the default of the service", "empty: 1,000", "empty: 100")
	if strings.Contains(caps, "An empty field") {
		t.Error("a sentence about all empty fields contradicts single fields")
	}
	list, _ := acme.look("/api/v1/audit").items()
	list = slices.DeleteFunc(list, func(e map[string]any) bool { return e["act"] != "limits" })
	if len(list) != 8 || list[7]["target"] != "acme" || !strings.HasPrefix(list[7]["by"].(string), "key_") {
		t.Errorf("the audit of the tenant has %d entries: %v", len(list), list)
	}
}

// TestPause_ByTheOwner_IsResumedByTheOwnerAlone also tests a pause by the tenant, which both can
// end.
func TestPause_ByTheOwner_IsResumedByTheOwnerAlone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	_, secret := l.member("acme", access.Operator)
	acme := l.as(secret)
	acme.limits("acme", `{"paused":true}`).says("paused", true, "paused_by_owner", false)
	owner.limits("acme", `{"paused":true}`).says("paused", true, "paused_by_owner", true)
	acme.limits("acme", `{"slots":3,"paused":false}`).refuses(http.StatusConflict, "PAUSED_BY_OWNER")
	acme.limits("acme", `{"paused":true}`).says("paused", true, "paused_by_owner", true)
	acme.look(limitsOf("acme")).says("slots", 0, "paused", true)
	page := acme.page("/ops/limits")
	if tells(t, page, "The owner of the service has paused the tenant."); strings.Contains(page, "/ops/limits/resume") {
		t.Error("the page offers to resume what the owner has paused")
	}
	if r := acme.submits("/ops/limits/resume", "meant", "yes"); r.status != http.StatusConflict {
		t.Errorf("the page resumes it: %d", r.status)
	}
	owner.limits("acme", `{"paused":false}`).says("paused", false, "paused_by_owner", false)
	acme.limits("acme", `{"paused":true}`).says("paused", true)
	owner.limits("acme", `{"paused":false}`).says("paused", false)
}

// TestLimits_PriorityAndSchedules_AreBounded tests one tenant. Another one has the limits of the
// service.
func TestLimits_PriorityAndSchedules_AreBounded(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	fine(t, l.opt.Tasks.SetCaps(t.Context(), "acme", tasks.Limits{Priority: 5, Schedules: 1}))
	_, secret := l.member("acme", access.Admin)
	_, other := l.member("globex", access.Admin)
	acme, globex := l.as(secret), l.as(other)
	acme.upload("a.csv", rows(1), `{"priority":6}`).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "/options/priority", "-1000 to 5")
	acme.postTo("/api/v1/tasks", `{"kind":"products.import","open":true,"priority":6}`).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS")
	acme.accepted("a.csv", rows(1), `{"priority":5}`)
	globex.accepted("a.csv", rows(1), `{"priority":1000}`)
	acme.schedule(`{}`)
	acme.postTo(plansPath, `{"name":"b","cron":"0 3 * * *","request":{"kind":"products.import","rows":[{"SKU":"A"}]}}`).
		refuses(http.StatusConflict, "TOO_MANY_SCHEDULES")
	globex.schedule(`{}`)
	globex.schedule(`{}`)
}
