package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestOpsTenants_Owner_LimitsPausesAndRemoves: the pages are for the owner only.
func TestOpsTenants_Owner_LimitsPausesAndRemoves(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	_, secret := l.member("acme", access.Admin)
	acme := l.as(secret)
	acme.tenant = "acme"
	task := acme.accepted("a.csv", rows(3), "")
	l.split()
	const at = "/ops/tenants/acme"
	tells(t, owner.page("/ops/tenants"), "Tenants", "acme", "1 3 0")
	if r := acme.look("/ops/tenants", "Accept", htmlType); r.status != http.StatusForbidden || strings.Contains(acme.page("/ops/limits"), `href="/ops/tenants"`) {
		t.Errorf("an admin of a tenant sees tenants: %d", r.status)
	}
	set := owner.submits(at, "slots", "7", "rate", "", "weight", "3")
	tells(t, set.body, "The limits are saved", "acme", "Export the records")
	if !strings.Contains(set.body, `name="slots" value="7"`) || !strings.Contains(set.body, `name="weight" value="3"`) {
		t.Errorf("the page does not show what is set:\n%s", set.body)
	}
	acme.look(limitsOf("acme")).says("slots", 7, "allowed.slots", 7, "weight", 3)
	for field, want := range map[string]string{"slots": "Jobs at once: enter a whole number", "weight": "Weight: enter a whole number up to 1,000, or leave the field empty."} {
		bad := owner.submits(at, field, "-1")
		if tells(t, bad.body, want); bad.status != http.StatusUnprocessableEntity {
			t.Errorf("%s=-1: %d", field, bad.status)
		}
	}
	question, paused := owner.asked(at + "/control/pause")
	tells(t, question.body, "Pause acme", "3 rows of 1 task wait")
	tells(t, paused.body, "The tenant is paused", "Resume the tenant")
	acme.postTo(tenantsPath+"/acme/resume", "").refuses(http.StatusConflict, "PAUSED_BY_OWNER")
	_, resumed := owner.asked(at + "/control/resume")
	tells(t, resumed.body, "The tenant is resumed")

	_, wrong := owner.asked(at+"/control/remove", "confirm", "globex")
	tells(t, wrong.body, "A removal cannot be undone")
	_, early := owner.asked(at+"/control/remove", "confirm", "acme")
	if tells(t, early.body, "The tenant has unfinished tasks"); early.status != http.StatusConflict {
		t.Errorf("tasks are not done: %d", early.status)
	}
	canceling := owner.submits(at+"/control/remove", "confirm", "acme", "cancel", "yes", "meant", "yes")
	if tells(t, canceling.body, "tasks of the tenant are being canceled"); canceling.status != http.StatusConflict {
		t.Errorf("tasks are being canceled: %d", canceling.status)
	}
	acme.move(task, events.Canceled, nil, 1, 2, 3)
	for _, path := range []string{"/ops/tenants", at} {
		owner.isTranslated(path)
	}
	question, gone := owner.asked(at+"/control/remove", "confirm", "acme")
	tells(t, question.body, "Remove acme", "This cannot be undone", "Cancel unfinished tasks first")
	tells(t, gone.body, "The tenant is removed", "Tenants")
	if r := owner.submits(at+"/control/burn", "meant", "yes"); r.status != http.StatusNotFound {
		t.Errorf("an act that there is not: %d", r.status)
	}
	if r := owner.look("/ops/tenants/a%20b", "Accept", htmlType); r.status != http.StatusNotFound {
		t.Errorf("a name that no tenant can have: %d", r.status)
	}
}

// TestOpsTenant_FailureWhileItSaves_SavesNothing: the page and the API save all settings or none.
func TestOpsTenant_FailureWhileItSaves_SavesNothing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	owner.limits("acme", `{"slots":1,"weight":2}`).is(http.StatusOK)
	for _, field := range []string{"weight", "run_hours"} {
		l.exec(`CREATE TRIGGER faulty BEFORE UPDATE ON rollcall.limits WHEN NEW.` + field + ` <> OLD.` + field + ` BEGIN SELECT RAISE(ABORT, 'broken'); END`)
		page := owner.submits("/ops/tenants/acme", "slots", "7", "weight", "3", "run_hours", "22:00-06:00 UTC")
		api := owner.limits("acme", `{"slots":8,"weight":4,"run_hours":"22:00-05:00 UTC"}`)
		if page.status != http.StatusInternalServerError || api.status != http.StatusInternalServerError {
			t.Errorf("%s is not saved: page %d, API %d", field, page.status, api.status)
		}
		l.exec(`DROP TRIGGER faulty`)
		owner.look(limitsOf("acme")).says("slots", 1, "weight", 2, "run_hours", "")
	}
}

// TestOpsLimits_WrongValue_SaysWhatTheFieldTakes: a size has a unit, and a text that is no number is refused
// at its field.
func TestOpsLimits_WrongValue_SaysWhatTheFieldTakes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	for _, at := range []string{"/ops/limits", "/ops/tenants/acme"} {
		for _, text := range []string{"1.5 GB", "much", "-1", "2 PB"} {
			r := owner.submits(at, "slots", "3", "bytes", text)
			if tells(t, r.body, "Stored files: enter a whole number with a unit, such as 500 MB or 2 GB, up to 1 PB, or leave the field empty."); r.status != http.StatusUnprocessableEntity {
				t.Errorf("%s takes %q: %d", at, text, r.status)
			}
		}
		tells(t, owner.submits(at, "slots", "ten", "bytes", "2 GB").body, "Jobs at once: enter a whole number up to 1,000,000, or leave the field empty.")
		tells(t, owner.submits(at, "bytes", "2 gb").body, "The limits are saved")
	}
}
