package web_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
)

// TestOpsHome_PausedQueue_NamesUserAndReasonAndResumes: an alarm names the user, the reason and the
// waiting rows, and its button resumes the queue without a further question.
func TestOpsHome_PausedQueue_NamesUserAndReasonAndResumes(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	owner, at := d.home.in(t), "/ops/queues/"+patients
	d.works(func(context.Context, *queue.Batch) error { return nil })
	if page := owner.page(at); !strings.Contains(page, `action="`+at+`/control/pause"`) {
		t.Errorf("the page of the queue has no form that pauses it:\n%s", page)
	}
	question := owner.submits(at + "/control/pause")
	tells(t, question.body, "Pause "+patients, "Reason, shown on the overview")
	owner.submits(at+"/control/pause", "meant", "yes", "note", "The supplier sends wrong prices.")
	home := owner.page("/ops")
	if !strings.Contains(home, `action="`+at+`/control/resume"`) {
		t.Errorf("the overview has no form that resumes the queue:\n%s", home)
	}
	tells(t, home, "1 of 2 queues needs attention", patients+": Paused", "Paused by owner.", "Resume the queue",
		"4 rows wait", "“The supplier sends wrong prices.”", "Resume "+patients, "Open the queue")
	if strings.Contains(home, `class="badge good"`) {
		t.Errorf("a queue is shown as well while it is paused:\n%s", home)
	}
	if own := d.acme.in(t).page("/ops"); strings.Contains(own, "control/resume") || strings.Contains(own, "supplier") {
		t.Error("an operator of a tenant sees the button or the reason of the owner")
	}
	r := owner.submits(at+"/control/resume", "meant", "yes", "to", "/ops")
	if tells(t, r.body, "2 queues run as expected"); r.status != http.StatusOK {
		t.Errorf("resume: %d", r.status)
	}
}

// hot imports 150 rows of one key, and feeds them. It returns the id of their task.
func (d *depot) hot() string {
	d.t.Helper()
	task := d.home.imported("No,tel\n" + strings.Repeat("HOT,+14155550111\n", 150))
	d.split()
	d.feed()
	return task
}

// TestOpsHome_OneKeyHoldsRows_IsNamedWithItsJob: most slots are free, and rows of one key wait
// for each other.
func TestOpsHome_OneKeyHoldsRows_IsNamedWithItsJob(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.hot()
	d.busy(4)
	testenv.Await(time.Minute, func() bool { // the worker reports the start with its next heartbeat
		return strings.Contains(d.home.in(t).page("/ops"), "needs attention")
	})
	tells(t, d.home.in(t).page("/ops"), "needs attention", "rows of one key wait for each other", "behind the running row of key HOT",
		"Other keys are not held up", "Open the running job", "Open its task")
}

// TestTask_MostRowsHaveOneKey_SaysThatTheyRunInTurn: one row runs, and the other rows of its key wait.
func TestTask_MostRowsHaveOneKey_SaysThatTheyRunInTurn(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	task := d.hot()
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET working = 1, enqueue = enqueue - 1, started_at = created_at WHERE id = ?", task).Error)
	tells(t, d.home.in(t).page("/tasks/"+task), "rows wait for a row with the same key: such rows run one after another.")
}

// TestOpsHome_JobOfATenantRuns_TenantSeesTheQueueRun: a tenant sees its own running jobs, not the
// number of all jobs.
func TestOpsHome_JobOfATenantRuns_TenantSeesTheQueueRun(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.busy(3)
	tells(t, d.acme.in(t).page("/ops"), patients+" Running")
	tells(t, d.acme.in(t).page("/ops/queues/"+patients), "Running", "Oldest ready row")
	tells(t, d.acme.in(t).page("/ops/queues/"+patients+"/busy"), patients+" Running")
}

// TestOpsHome_RowsWaitLong_IsNeverGreen: a queue whose oldest row waits for more than a minute is
// behind, also while it runs.
func TestOpsHome_RowsWaitLong_IsNeverGreen(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.acme.imported("No,tel\nC,+14155550111\n")
	d.split()
	d.pass(11 * time.Minute)
	d.busy(3)
	home := d.home.in(t).page("/ops")
	if strings.Contains(home, `class="badge good"`) || strings.Contains(home, "run as expected") {
		t.Errorf("a queue whose rows wait for 11 minutes is shown as well:\n%s", words(home))
	}
	tells(t, home, "needs attention")
}

// TestOpsAlarm_DeadKeysOfOtherTenants_LeadsToTheTenants: the owner cannot list keys of other tenants.
func TestOpsAlarm_DeadKeysOfOtherTenants_LeadsToTheTenants(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	owner := d.home.in(t)
	_, err := d.opt.Queue.Admin().Kill(t.Context(), patients, "acme/A")
	fine(t, err)
	alarm := func(n string) string {
		t.Helper()
		page := owner.page("/ops")
		if !strings.Contains(page, n+" dead") {
			t.Errorf("the page does not say that %s dead", n)
		}
		_, part, found := strings.Cut(page, `id="alarm-`+patients+`-dead"`)
		if !found {
			t.Fatalf("no alarm of dead keys: %s", page)
		}
		part, _, _ = strings.Cut(part, "</article>")
		return part
	}
	others := alarm("1 key is")
	if !strings.Contains(others, `href="/ops/tenants/acme"`) || strings.Contains(others, "/morgue") || strings.Contains(others, `value="requeue"`) {
		t.Errorf("the alarm leads to lists of the owner's own tenant: %s", others)
	}
	tells(t, others, "Other tenants have dead keys: acme (1). Only operators of these tenants can see and run them.", "Tenant acme")
	tells(t, owner.page("/ops/queues/"+patients+"/morgue"), "No dead jobs of your tenant", "Other tenants have dead keys: acme (1).")
	if own := d.globex.in(t).page("/ops/queues/" + patients + "/morgue"); strings.Contains(own, "Other tenants") {
		t.Error("an operator of a tenant sees the tenants of dead keys")
	}
	d.home.imported("No,tel\nC,+14155550180\n")
	d.split()
	d.feed()
	_, err = d.opt.Queue.Admin().Kill(t.Context(), patients, d.home.tenant+"/C")
	fine(t, err)
	both := alarm("2 keys are")
	if !strings.Contains(both, "/morgue") {
		t.Errorf("the alarm does not lead to the own dead key: %s", both)
	}
	tells(t, both, "1 of these keys belongs to your own tenant. The others belong to: acme (1).")
}

// TestOpsAlarm_ManyDeadKeys_CountsThoseOfEachTenant: a tenant is named even if its keys come after a
// thousand others. The morgue is read once.
func TestOpsAlarm_ManyDeadKeys_CountsThoseOfEachTenant(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	owner := d.home.in(t)
	var scans atomic.Int64
	d.redis.Server().SetPreHook(func(_ *server.Peer, cmd string, args ...string) bool {
		if cmd == "ZSCAN" && strings.HasSuffix(args[0], ":morgue") {
			scans.Add(1)
		}
		return false
	})
	for i := range 1200 {
		_, err := d.redis.ZAdd(fmt.Sprintf("queue:{%s:%d}:morgue", patients, i%5), 1, fmt.Sprintf("acme/K%d", i))
		fine(t, err)
	}
	_, err := d.redis.ZAdd(fmt.Sprintf("queue:{%s:0}:morgue", patients), 1, "zebra/K")
	fine(t, err)
	tells(t, owner.page("/ops"), "1,201 keys are dead", "Other tenants have dead keys: acme (1,200), zebra (1).")
	if n := scans.Load(); n != 5 { // of five shards
		t.Errorf("the page has read %d shards of the morgue", n)
	}
}

// TestOpsHome_RowsOfTheTenantInError_AreAnAlarm: the operator of a tenant does not see the dead
// keys of all tenants, but sees the tenant's rows in error.
func TestOpsHome_RowsOfTheTenantInError_AreAnAlarm(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	d.works(func(context.Context, *queue.Batch) error { return nil })
	acme.endsInError(d.task, "stock service answered 503", 1, 2)
	home := acme.page("/ops")
	tells(t, home, "1 of 2 queues needs attention", patients+": 2 rows in error", "Open the errors", "See the errors")
	if !strings.Contains(home, `class="button" href="/ops/errors"`) {
		t.Error("the alarm does not lead to the errors")
	}
	if other := d.globex.in(t).page("/ops"); strings.Contains(other, "in error") {
		t.Error("another tenant sees the alarm")
	}
	page := acme.page("/ops/errors")
	acme.asked(regexp.MustCompile(`/ops/errors/[^/"]+/[0-9a-f]{16}`).FindString(page) + "/skip")
	tells(t, acme.page("/ops"), "2 queues run as expected")
}

// TestOpsHome_RowsBehindAKeyOrPaused_AreCountedApart: these rows are not ready to run, so they are not in
// the lag. The overview counts them and names the reasons.
func TestOpsHome_RowsBehindAKeyOrPaused_AreCountedApart(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.hot()
	paused := d.globex.imported("No,tel\n" + strings.Repeat("C,+14155550112\n", 5))
	d.split()
	d.globex.call(http.MethodPost, "/api/v1/tasks/"+paused+"/pause", "").is(http.StatusOK)
	home := d.home.in(t).page("/ops")
	tells(t, home, "Not started", "Oldest ready row waits", "Not ready to run", "behind a row of their key, 5 paused")
	if strings.Contains(words(home), "0 behind a row") {
		t.Errorf("rows behind a row of their key are not counted:\n%s", words(home))
	}
	tells(t, d.home.in(t).page("/ops/queues/"+patients), "behind a row of their key, 5 paused")
	tells(t, d.globex.in(t).page("/ops"), "Not ready to run 5 0 behind a row of their key, 5 paused")
	tells(t, d.home.in(t).page("/ops/queues/"+patients+"/keys"), "More rows of a key may wait in the database", "Jobs in Redis")
	tells(t, d.globex.in(t).page("/ops"), "No key of your tenant that is ready to run has waited")
}

// TestOpsHome_KeysWaitEquallyLong_MostRowsComeFirst: the first rows of all keys have waited equally long.
// The owner and a tenant see the keys of their own tenant.
func TestOpsHome_KeysWaitEquallyLong_MostRowsComeFirst(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.home.imported("No,tel\nA,+14155550176\nZ,+14155550177\nZ,+14155550178\nZ,+14155550179\n")
	d.split()
	d.feed()
	fine(t, d.opt.Queue.Admin().Note(t.Context(), nil))
	d.pass(time.Minute)
	tells(t, d.home.in(t).page("/ops"), "Ready keys that wait longest", "Key Queue Due Jobs in Redis Z "+patients, "2", "A "+patients, "1")
	tells(t, d.acme.in(t).page("/ops"), "Key Queue Due Jobs in Redis A "+patients, "2", "B "+patients, "1")
}
