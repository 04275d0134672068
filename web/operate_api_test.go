package web_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// crew starts a process that runs the kinds of the lab until the test ends.
func (l *lab) crew() {
	l.t.Helper()
	s := fixture.Service{
		DB: l.db, Redis: l.rdb(), Tasks: l.opt.Tasks, Events: l.opt.Events, Queue: l.opt.Queue, Kinds: l.opt.Kinds,
	}
	n, err := s.Start(fixture.NodeOptions{
		Feeder: feed.Options{Now: l.clock}, Recorder: middleware.Options{Worker: "w1", Now: l.clock},
		Server: queue.ServerOptions{Node: "n1", Lease: time.Minute, Now: l.clock},
	})
	fine(l.t, err)
	l.t.Cleanup(n.Stop)
}

// clinic returns a depot whose rows fail with a system error, unless `healed` is set.
func clinic(t *testing.T, url string) (d *depot, healed *atomic.Bool) {
	t.Helper()
	healed = &atomic.Bool{}
	see := func(context.Context, *worker.Job[patient]) error {
		if healed.Load() {
			return nil
		}
		return errors.New("the machine is down")
	}
	hour := worker.RetryIn(func(int) time.Duration { return time.Hour })
	d = newDepotOn(t, url, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define(patients, see, hour), worker.Define("idle", see)))
	})
	d.crew()
	return d, healed
}

// counts returns a function that reports whether a count of acme's task has a value.
func (d *depot) counts(name string, n int) func() bool {
	return func() bool {
		all := d.acme.look("/api/v1/tasks/" + d.task).object()["counts"].(map[string]any)
		return all[name] == float64(n)
	}
}

// acts performs an act on the queue of patients, and checks the number of touched keys.
func (l *lab) acts(path, body string, touched int) {
	l.t.Helper()
	r := l.postTo(queuesPath+"/"+patients+path, body)
	r.is(http.StatusOK)
	r.says("touched", touched)
}

// TestWhatOperatorsDoEndsInTheLedger: the ledger has the real end of each job, and nothing restores a deleted
// job.
func TestWhatOperatorsDoEndsInTheLedger(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		d, healed := clinic(t, url)
		d.until("the first of A and B have failed", d.counts("retrying", 2))
		d.until("the other tenant's too", func() bool { return d.length() == 3 })

		if r := d.acme.why(d.task+".1", "WAITS_FOR_RETRY"); r["at"] == nil || !strings.Contains(r["detail"].(string), "Attempt 1 ended with a system error. the machine is down") {
			t.Errorf("why it waits: %v", r)
		}
		if r := d.acme.why(d.task+".2", "BEHIND_ROW"); r["behind"] != d.task+".1" || r["at"] == nil {
			t.Errorf("why the one behind it waits: %v", r)
		}
		tells(t, d.acme.page("/tasks/"+d.task+"/rows/2"), "The service retries automatically: ")

		d.acme.acts("/kill-failed", `{"all":true}`, 2)
		d.acme.look("/api/v1/tasks/"+d.task).says("status", "failed", "counts.error", 3, "counts.retrying", 0)
		d.acme.look("/api/v1/events/"+d.task+".2").says("status", "error", "code", "KILLED", "attempt", 0)
		if row := d.acme.look("/api/v1/events/" + d.task + ".1").body; !strings.Contains(row, "moved to the morgue by key_") {
			t.Errorf("the row does not tell who: %s", row)
		}
		if dead, _ := d.acme.look(queuesPath + "/" + patients + "/morgue").items(); len(dead) != 2 || d.length() != 1 {
			t.Errorf("the morgue holds %v, and %d keys wait", dead, d.length())
		}

		healed.Store(true)
		d.acme.acts("/morgue/requeue", `{"ids":["A","unknown"]}`, 1)
		d.until("both rows of A are done", d.counts("finish", 2))
		d.globex.acts("/morgue/delete", `{"ids":["B"]}`, 0)
		d.acme.acts("/morgue/delete", `{"all":true}`, 1)
		d.acme.look("/api/v1/events/"+d.task+".3").says("status", "error", "code", "KILLED")

		healed.Store(false)
		d.acme.postTo("/api/v1/tasks/"+d.task+"/resubmit", `{"filter":{}}`).is(http.StatusAccepted)
		d.until("B has failed again, and waits", func() bool {
			row := d.acme.look("/api/v1/events/" + d.task + ".3").object()
			return row["attempt"] == 2.0 && row["status"] == "enqueue" && d.length() == 2
		})
		page := d.acme.page("/tasks/" + d.task)
		tells(t, page, "Waiting for a retry after a system error. There is no problem with your data. The service retries automatically: 4 Mar 2026")
		if row := d.acme.page("/tasks/" + d.task + "/rows/3"); strings.Contains(page+row, "Run now") {
			t.Error("the page names a button that it does not have")
		}
		tells(t, d.acme.page("/"), "Running waits for a retry")
		d.acme.acts("/delete-failed", `{"all":true}`, 1)
		d.acme.look("/api/v1/tasks/"+d.task).says("status", "finished_with_failures", "counts.canceled", 1, "counts.finish", 2)
		d.home.look(queuesPath+"/"+patients).says("length", 1, "morgue_length", 0)

		healed.Store(true)
		d.globex.acts("/perform-all-now", `{"all":true}`, 1)
		d.until("the other tenant's is done", func() bool { return d.length() == 0 })
		s := reconcile.NewSweeper(d.opt.Tasks, d.opt.Events, d.opt.Queue, d.opt.Kinds, reconcile.SweeperOptions{
			Quiet: time.Nanosecond, Now: func() time.Time { return d.clock().Add(time.Hour) },
		})
		fine(t, s.Sweep(t.Context()))
		if got := s.Repairs(); got != (reconcile.Repairs{}) {
			t.Errorf("the sweeper found to mend %+v", got)
		}
		list, _ := d.acme.look("/api/v1/audit").items()
		if len(list) != 5 || list[4]["act"] != "create-key" || list[0]["act"] != "delete-failed" || list[3]["act"] != "kill-failed" ||
			list[2]["act"] != "requeue" || list[2]["touched"] != 1.0 || list[2]["target"] != patients {
			t.Errorf("the audit tells %v", list)
		}
	})
}

// length returns the number of waiting keys of all tenants.
func (d *depot) length() int {
	d.t.Helper()
	n, _ := d.home.look(queuesPath + "/" + patients).object()["length"].(float64)
	return int(n)
}

// TestWhatAllTenantsShareIsChangedByItsOwner: queues and nodes are shared by all tenants.
func TestWhatAllTenantsShareIsChangedByItsOwner(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.works(func(context.Context, *queue.Batch) error { return nil })
	at := queuesPath + "/" + patients
	d.until("the work is done", func() bool { return d.length() == 0 })
	node := ""
	d.until("the node is listed", func() bool {
		list, _ := d.home.look("/api/v1/nodes").items()
		if len(list) == 1 {
			node = list[0]["name"].(string)
		}
		return node != ""
	})
	for _, path := range []string{
		at + "/pause", at + "/resume", at + "/reshard", "/api/v1/nodes/" + node + "/drain",
		"/api/v1/nodes/" + node + "/undrain",
	} {
		body := ""
		if path == at+"/reshard" {
			body = `{"shards":3}`
		}
		d.acme.postTo(path, body).refuses(http.StatusForbidden, "SCOPE_MISSING", "service:write")
	}
	d.home.look(at).says("paused", false, "shards", 5)
	for _, step := range []struct {
		path, body string
		touched    int
	}{
		{at + "/pause", "", 1},
		{at + "/pause", "", 0},
		{queuesPath + "/idle/pause", "", 1},
		{"/api/v1/nodes/" + node + "/drain", "", 1},
		{"/api/v1/nodes/" + node + "/drain", "", 0},
		{"/api/v1/nodes/" + node + "/undrain", "", 1},
		{at + "/reshard", `{"shards":5}`, 0},
	} {
		r := d.home.postTo(step.path, step.body)
		r.is(http.StatusOK)
		r.says("touched", step.touched)
	}
	d.globex.imported("No,tel\nC,+14155550199\n")
	d.split()
	d.feed()
	d.home.postTo(at+"/reshard", `{"shards":2}`).says("touched", 2)
	d.acme.look(at).says("paused", true)
	d.home.look(at).says("paused", true, "resharding", true, "length", 1)
	d.home.postTo(at+"/reshard", `{"shards":7}`).refuses(http.StatusConflict, "RESHARDING")
	d.home.postTo(at+"/reshard", `{"shards":0}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	for _, path := range []string{"/morgue/requeue", "/morgue/delete"} {
		for _, body := range []string{`{}`, `{"ids":[]}`, `{"ids":["A"],"all":true}`} {
			d.acme.postTo(at+path, body).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
		}
	}
	d.home.postTo(at+"/resume", "").says("touched", 1)
	d.until("what waited runs, and the old shards are gone", func() bool {
		q := d.home.look(at).object()
		return q["length"] == 0.0 && q["resharding"] == false && q["shards"] == 2.0
	})
	list, next := d.home.look("/api/v1/audit?limit=2").items()
	if len(list) != 2 || list[0]["act"] != "resume" || list[1]["touched"] != 0.0 || next == "" {
		t.Errorf("the audit begins with %v", list)
	}
	if list, _ := d.acme.look("/api/v1/audit").items(); len(list) != 2 || list[0]["act"] != "refused" || list[1]["act"] != "create-key" {
		t.Errorf("another tenant's audit tells %v", list)
	}
}

// TestQueuesAreAway: paths that need the queues answer 503.
func TestQueuesAreAway(t *testing.T) {
	t.Parallel()
	w := newWalk(t, func(o *web.Options) {
		rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
		t.Cleanup(func() { _ = rdb.Close() })
		o.Queue = queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: "products.import"}}})
	})
	w.every(503, "QUEUE_UNAVAILABLE", func(*http.Request, *operation) {})
}
