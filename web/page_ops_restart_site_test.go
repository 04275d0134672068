package web_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestOpsHome_RedisLosesDeadKeys_RowsInErrorRemain: after a restart of the embedded Redis, the overview of
// the owner, the list of dead keys and the overview of the tenant name the rows in error of the database.
// The rows can still be run again.
func TestOpsHome_RedisLosesDeadKeys_RowsInErrorRemain(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	owner, acme := d.home.in(t), d.acme.in(t)
	d.works(func(context.Context, *queue.Batch) error { return nil })
	_, err := d.opt.Queue.Admin().Kill(t.Context(), patients, "acme/A")
	fine(t, err)
	acme.endsInError(d.task, "stock service answered 503", 1, 2)
	before := owner.page("/ops")
	tells(t, before, "1 of 2 queues needs attention", patients+": 1 key is dead", "Rows in error 2 1 dead key in Redis")
	if strings.Contains(before, `id="alarm-`+patients+`-errors"`) {
		t.Error("the overview counts dead jobs a second time as rows in error")
	}
	fine(t, d.rdb().FlushAll(t.Context()).Err())

	home := owner.page("/ops")
	tells(t, home, "1 of 2 queues needs attention", patients+": 2 rows in error", "Rows in error of other tenants: acme (2).",
		"Tenant acme", "no earlier figures", "Rows in error 2 0 dead keys in Redis")
	if !strings.Contains(home, `href="/ops/tenants/acme"`) || strings.Contains(home, `href="/ops/errors">See`) {
		t.Errorf("the alarm does not lead to the tenant:\n%s", words(home))
	}
	dead := "/ops/queues/" + patients + "/morgue"
	tells(t, owner.page(dead), "No dead jobs of your tenant", "Rows in error of other tenants: acme (2).")
	tells(t, owner.page("/ops/queues/"+patients), "Rows in error 2")
	tells(t, acme.page("/ops"), patients+": 2 rows in error")
	tells(t, acme.page(dead), "2 rows of this queue are in error", "See the errors and run the rows again")
	if other := d.globex.in(t).page(dead); strings.Contains(other, "in error") {
		t.Error("another tenant sees the rows in error")
	}
	at := regexp.MustCompile(`/ops/errors/[^/"]+/[0-9a-f]{16}`).FindString(acme.page("/ops/errors"))
	if _, ran := acme.asked(at + "/run"); !strings.Contains(ran.body, "2 rows run again.") {
		t.Errorf("the rows cannot be run again: %s", words(ran.body))
	}
	if home := owner.page("/ops"); strings.Contains(home, `id="alarm-`+patients+`-errors"`) {
		t.Error("rows that run again are still an alarm")
	}
}

// TestOpsHome_QueueWithAlarm_HasTheTitleOfItsKindAndIsNotIdle: the kind has a title, and only rows in error
// need attention.
func TestOpsHome_QueueWithAlarm_HasTheTitleOfItsKindAndIsNotIdle(t *testing.T) {
	t.Parallel()
	d := newDepotOn(t, ledgers.SQLite(t), func(o *web.Options) {
		idle := func(context.Context, *worker.Job[patient]) error { return nil }
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define(patients, idle, worker.Title("Patients"))))
	})
	acme := d.acme.in(t)
	d.works(func(context.Context, *queue.Batch) error { return nil })
	acme.endsInError(d.task, "stock service answered 503", 1)
	testenv.Await(time.Minute, func() bool { // the worker leases the shards, and runs the other rows
		return strings.Contains(acme.page("/ops"), "Needs attention")
	})
	tells(t, acme.page("/ops"), "1 of 1 queue needs attention", "Patients: 1 row in error", "Patients "+patients+" Needs attention")
	tells(t, acme.page("/ops/queues/"+patients), "State Needs attention")
	tells(t, acme.page("/ops/queues/"+patients+"/waiting"), "Needs attention")
	for path, title := range map[string]string{"": "Patients", "/morgue": "Patients", "/keys": "Patients"} {
		if page := acme.page("/ops/queues/" + patients + path); !strings.Contains(page, "<title>"+title+" ") {
			t.Errorf("the window of %s is not named %s", path, title)
		}
	}
	tells(t, d.home.in(t).submits("/ops/queues/"+patients+"/control/pause").body, "Pause Patients")
}

// TestOpsTasks_MoreFilters_AreFoldedUntilOneIsSet: on a phone, the fields would fill the first screen.
func TestOpsTasks_MoreFilters_AreFoldedUntilOneIsSet(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for path, open := range map[string]bool{"": false, "?q=a": false, "?q=a&status=paused": true, "?kind=nope": true} {
		page := l.page("/ops/tasks" + path)
		if got := strings.Contains(page, `<details class="more" open>`); got != open || !strings.Contains(page, `<summary>More filters`) {
			t.Errorf("/ops/tasks%s: the fold of filters is open: %t, want %t", path, got, open)
		}
	}
}
