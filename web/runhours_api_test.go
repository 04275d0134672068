package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// TestRunHours_Outside_TaskAndQueueSayWhenTheyRunAgain tests the API and pages. There is no alarm.
func TestRunHours_Outside_TaskAndQueueSayWhenTheyRunAgain(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.works(func(context.Context, *queue.Batch) error { return nil })
	d.until("all ran", func() bool {
		return d.length() == 0 && d.home.look(queuesPath + "/" + patients).object()["busy"] == 0.0
	})
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET finish = enqueue, enqueue = 0").Error)
	late := d.acme.imported("No,tel\nX,+14155550177\n")
	d.split()
	d.acme.why(late+".1", "NOT_FED")
	opens := d.clock().UTC().Add(2 * time.Hour).Truncate(time.Minute)
	hours := opens.Format("15:04") + "-" + opens.Add(time.Hour).Format("15:04") + " UTC"
	d.home.limits("acme", `{"run_hours":"`+hours+`"}`).says("run_hours", hours)
	d.acme.limits("acme", `{"slots":3}`).says("run_hours", hours)
	d.acme.why(late+".1", "OUTSIDE_RUN_HOURS", "NOT_FED")
	r := d.acme.look("/api/v1/tasks/" + late + "/explain").object()["reasons"].([]any)[0].(map[string]any)
	if r["at"] != opens.Format("2006-01-02T15:04:05.000Z") {
		t.Errorf("they run again at %v, want %v", r["at"], opens)
	}
	sentence := "They run again at " + opens.Format("15:04") + " (UTC)."
	tells(t, d.acme.page("/tasks/"+late), sentence)
	d.pass(30 * time.Minute)
	for _, who := range []*lab{d.home, d.acme} {
		q := who.look(queuesPath + "/" + patients).object()
		list := q["reasons"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["code"] != "OUTSIDE_RUN_HOURS" || q["lag"] != 0.0 || q["backlog"] != 0.0 {
			t.Errorf("the queue is %v", q)
		}
		home := who.page("/ops")
		if tells(t, home, sentence); strings.Contains(home, `id="alarm-`) {
			t.Errorf("rows outside of their run hours alarm:\n%s", words(home))
		}
	}
	d.pass(90 * time.Minute)
	d.acme.why(late+".1", "NOT_FED")
	d.home.limits("acme", `{"run_hours":""}`).says("run_hours", "")
}

// TestRunHours_OwnerAlone_SetsThem: an error about wrong run hours shows how to write them.
func TestRunHours_OwnerAlone_SetsThem(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.acme.limits("acme", `{"run_hours":"22:00-06:00 UTC"}`).refuses(http.StatusForbidden, "SCOPE_MISSING")
	for _, text := range []string{`"22-06 UTC"`, `"22:00-06:00 Mars/Base"`, `7`} {
		if r := d.home.limits("acme", `{"slots":9,"run_hours":`+text+`}`); r.status/100 != 4 {
			t.Errorf("%s is taken: %s", text, r.body)
		}
	}
	d.acme.look(limitsOf("acme")).says("slots", 0, "run_hours", "")
	const at = "/ops/tenants/acme"
	set := d.home.submits(at, "slots", "7", "run_hours", " 22:00-06:00 Europe/Berlin ")
	if !strings.Contains(set.body, `name="run_hours" value="22:00-06:00 Europe/Berlin"`) {
		t.Errorf("the page does not show what is set:\n%s", set.body)
	}
	bad := d.home.submits(at, "slots", "8", "run_hours", "at night")
	if tells(t, bad.body, "Run hours are a start, an end and a time zone"); bad.status != http.StatusUnprocessableEntity {
		t.Errorf("wrong hours: %d", bad.status)
	}
	d.acme.look(limitsOf("acme")).says("slots", 7, "run_hours", "22:00-06:00 Europe/Berlin")
}
