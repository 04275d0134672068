package web_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/queue"
)

// still checks the codes of the reasons why the queue of patients makes no progress, in the API, on /ops and on
// the page of the queue. It returns the first reason.
func (l *lab) still(codes ...string) map[string]any {
	l.t.Helper()
	r := l.look(queuesPath + "/" + patients)
	r.is(http.StatusOK)
	var got []string
	list := r.object()["reasons"].([]any)
	for _, one := range list {
		got = append(got, one.(map[string]any)["code"].(string))
	}
	if !slices.Equal(got, codes) {
		l.t.Fatalf("the queue is explained by %v, want %v: %s", got, codes, r.body)
	}
	home, page := l.page("/ops"), l.page("/ops/queues/"+patients)
	if len(codes) == 0 {
		if strings.Contains(page, `class="badge bad"`) {
			l.t.Errorf("a queue that moves has a state:\n%s", page)
		}
		return nil
	}
	first := list[0].(map[string]any)
	for _, body := range []string{home, page} {
		if !strings.Contains(words(body), first["detail"].(string)) {
			l.t.Errorf("a page does not say %q:\n%s", first["detail"], words(body))
		}
		if !strings.Contains(body, `<span class="badge bad">`) && !strings.Contains(body, `<span class="badge warn">`) {
			l.t.Errorf("%v is shown as fine:\n%s", codes, body)
		}
	}
	return first
}

// TestQueue_RowsWaitInTheLedger_SaysWhyItDoesNotMove tests rows of paused tenants, of tenants without slots, in
// unread files, and rows that wait for a feeder or a worker.
func TestQueue_RowsWaitInTheLedger_SaysWhyItDoesNotMove(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.works(func(context.Context, *queue.Batch) error { return nil })
	moved := func() bool {
		return d.length() == 0 && d.home.look(queuesPath + "/" + patients).object()["busy"] == 0.0
	}
	d.until("all ran", moved)
	d.home.still()
	fine(t, d.opt.Queue.Admin().Note(t.Context(), d.opt.Tasks.Lags))
	d.pass(reconcile.RepairsWithin - time.Second)
	d.home.still() // a sweeper may still repair the rows
	d.pass(time.Second)
	d.home.still("NOT_PUSHED") // no process records that they ran
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET finish = enqueue, enqueue = 0").Error)
	d.home.still()
	d.acme.still()
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET enqueue = finish, finish = 0").Error)

	late := d.acme.imported("No,tel\nX,+14155550177\n")
	if r := d.home.still("FILE_UNREAD"); r["detail"] != "The file is still being read." {
		t.Errorf("an unread file: %v", r)
	}
	d.split()
	d.home.still() // a feeder may still push the rows
	d.pass(time.Minute)
	d.home.still("NOT_PUSHED")
	fine(t, d.opt.Tasks.PauseTenant(t.Context(), "acme", true))
	if r := d.home.still("TENANTS_PAUSED"); r["detail"] != "All waiting rows belong to 1 paused tenant." {
		t.Errorf("paused tenants: %v", r)
	}
	d.globex.still() // no row of globex waits
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET finish = enqueue, enqueue = 0 WHERE id <> ?", late).Error)
	own := d.acme.still("TENANT_PAUSED")
	if r := d.acme.why(late+".1", "TENANT_PAUSED", "NOT_FED"); own["detail"] != d.reason(late+".1", "TENANT_PAUSED") || r == nil {
		t.Errorf("a row and its queue are explained in other words: %v", own)
	}
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET enqueue = finish, finish = 0 WHERE id <> ?", late).Error)
	fine(t, d.opt.Tasks.PauseTenant(t.Context(), "acme", false))
	// The rows that ran have not ended in the ledger, so they take the slots.
	d.acme.call(http.MethodPut, "/api/v1/tenants/acme/limits", `{"slots":3}`, "Content-Type", jsonType).is(http.StatusOK)
	d.home.still("TENANTS_SLOTS")
	d.globex.still()
}

// reason returns the text of one reason of a row.
func (d *depot) reason(row, code string) string {
	d.t.Helper()
	for _, one := range d.acme.look("/api/v1/events/" + row + "/explain").object()["reasons"].([]any) {
		if r := one.(map[string]any); r["code"] == code {
			return r["detail"].(string)
		}
	}
	return ""
}

// TestQueue_NoWorkerOrPaused_SaysSo tests rows in Redis, and rows in the ledger alone.
func TestQueue_NoWorkerOrPaused_SaysSo(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	if r := d.acme.still("NO_WORKER"); r["detail"] != d.reason(d.task+".1", "NO_WORKER") {
		t.Errorf("a row and its queue are explained in other words: %v", r)
	}
	d.home.postTo(queuesPath+"/"+patients+"/pause", "").is(http.StatusOK)
	d.acme.still("QUEUE_PAUSED", "NO_WORKER")
	d.redis.FlushAll()
	d.acme.still("NO_WORKER") // its rows are lost, and wait in the ledger
	d.acme.imported("No,tel\nX,+14155550177\n")
	d.split()
	d.acme.still("NO_WORKER")
}

// TestQueue_NoJobEnds_IsStuck: one handler hangs, and jobs wait behind it.
func TestQueue_NoJobEnds_IsStuck(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	started, end := make(chan struct{}, 9), make(chan struct{})
	s := queue.NewServer(d.rdb(), queue.ServerOptions{
		Node: "n1", Lease: 10 * time.Second, Poll: 20 * time.Millisecond, Now: d.clock, Concurrency: 1,
	}, queue.Worker{Queue: patients, Handle: func(context.Context, *queue.Batch) error {
		started <- struct{}{}
		<-end
		return nil
	}})
	fine(t, s.Start(t.Context()))
	t.Cleanup(s.Stop)
	t.Cleanup(func() { close(end) })
	<-started
	fine(t, d.opt.Queue.Admin().Note(t.Context(), nil))
	d.pass(time.Minute)
	d.acme.still()
	d.pass(2 * time.Minute)
	r := d.acme.still("NO_PROGRESS")
	if r["detail"] != "No job of the queue "+patients+" has ended for 3 minutes, and jobs wait." || r["at"] == nil {
		t.Errorf("a queue that is stuck: %v", r)
	}
}

// TestQueue_JobsWaitForARunningOne_IsStuckLater: no waiting row can run, because a row of the same key runs.
func TestQueue_JobsWaitForARunningOne_IsStuckLater(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.busy(3)
	d.acme.imported("No,tel\nA,+14155550177\nB,+14155550177\n")
	d.split()
	d.feed()
	if got := d.home.look(queuesPath + "/" + patients).object(); got["length"] != 2.0 || got["busy"] != 3.0 {
		t.Fatalf("the queue is %v", got)
	}
	for range 10 {
		d.acme.still()
		fine(t, d.opt.Queue.Admin().Note(t.Context(), d.opt.Tasks.Lags))
		d.pass(time.Minute)
	}
	if r := d.acme.still("NO_PROGRESS"); !strings.Contains(r["detail"].(string), "for 10 minutes") {
		t.Errorf("a queue that is stuck: %v", r)
	}
}
