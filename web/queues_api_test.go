package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

const queuesPath = "/api/v1/queues"

// depot is a lab with two tenants, whose rows are in Redis.
type depot struct {
	*lab
	acme, globex *lab // with keys of operators
	home         *lab // with the key of the owner
	task         string
}

const patients = "patients.import"

// newDepot returns a depot with three rows of acme in Redis, two of them of one key, and one row of globex.
func newDepot(t *testing.T) *depot {
	t.Helper()
	return newDepotOn(t, ledgers.SQLite(t), func(o *web.Options) {
		idle := func(context.Context, *worker.Job[patient]) error { return nil }
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define(patients, idle), worker.Define("idle", idle)))
	})
}

func newDepotOn(t *testing.T, url string, tune ...func(*web.Options)) *depot {
	t.Helper()
	d := &depot{lab: newLabOn(t, url, tune...)}
	_, d.home = d.owner()
	for tenant, to := range map[string]**lab{"acme": &d.acme, "globex": &d.globex} {
		_, secret := d.member(tenant, access.Operator)
		*to = d.as(secret)
		(*to).tenant = tenant
	}
	rows := "No,tel\nA,+14155550177\nA,+14155550178\nB,+14155550179\n"
	d.task = d.acme.imported(rows)
	d.globex.imported("No,tel\nA,+14155550199\n")
	d.split()
	d.feed()
	return d
}

func (l *lab) imported(text string) string {
	l.t.Helper()
	r := l.postForm(field("kind", patients), file("a.csv", text))
	r.is(http.StatusAccepted)
	return r.object()["id"].(string)
}

// feed pushes waiting rows to Redis.
func (l *lab) feed() {
	l.t.Helper()
	f := feed.NewFeeder(l.opt.Tasks, l.opt.Events, l.opt.Queue, l.opt.Kinds, feed.Options{Now: l.clock})
	fine(l.t, f.Feed(l.t.Context()))
}

// rdb returns a connection to the Redis of the lab.
func (l *lab) rdb() *redis.Client {
	rdb := redis.NewClient(&redis.Options{Addr: l.redis.Addr(), ContextTimeoutEnabled: true})
	l.t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// works starts a process that runs the queue until the test ends.
func (d *depot) works(handle queue.Handler) {
	d.t.Helper()
	s := queue.NewServer(d.rdb(), queue.ServerOptions{
		Node: "n1", Lease: 10 * time.Second, Poll: 20 * time.Millisecond, Now: d.clock,
	}, queue.Worker{Queue: patients, Handle: handle})
	fine(d.t, s.Start(d.t.Context()))
	d.t.Cleanup(s.Stop)
}

// busy starts a process that holds n jobs until the test ends.
func (d *depot) busy(n int) {
	d.t.Helper()
	started, end := make(chan struct{}, n), make(chan struct{})
	d.works(func(context.Context, *queue.Batch) error {
		started <- struct{}{}
		<-end
		return nil
	})
	d.t.Cleanup(func() { close(end) })
	for range n {
		<-started
	}
}

// TestQueues_Tenant_GetsItsOwnCountsAndTheOwnerAll reads a queue in which acme has three rows, and
// globex one.
func TestQueues_Tenant_GetsItsOwnCountsAndTheOwnerAll(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	list, _ := d.home.look(queuesPath).items()
	if len(list) != 2 || list[0]["name"] != "idle" || list[1]["name"] != patients ||
		list[0]["length"] != 0.0 || list[1]["length"] != 3.0 || list[1]["nodes"] != 0.0 || list[1]["backlog"] != 4.0 {
		t.Errorf("the queues are %v", list)
	}
	d.home.look(queuesPath+"/"+patients).says("length", 3, "shards", 5, "paused", false)
	shards, _ := d.home.look(queuesPath + "/" + patients + "/shards").items()
	if len(shards) != 5 || shards[0]["owner"] != nil {
		t.Errorf("the shards are %v", shards)
	}
	for tenant, backlog := range map[*lab]float64{d.acme: 3, d.globex: 1} {
		list, _ := tenant.look(queuesPath).items()
		for _, one := range append(list, tenant.look(queuesPath+"/"+patients).object()) {
			if len(one) != 6 || one["name"] == patients && one["backlog"] != backlog || one["name"] != patients && one["backlog"] != 0.0 {
				t.Errorf("%s gets of a queue %v", tenant.tenant, one)
			}
		}
	}
}

// TestQueues_Keys_AreThoseOfTheTenant reads all lists of a queue.
func TestQueues_Keys_AreThoseOfTheTenant(t *testing.T) {
	t.Parallel()
	d := newDepot(t)

	first := d.acme.look(queuesPath + "/" + patients + "/jobs?by=perform_in&dir=desc&limit=1")
	one, next := first.items()
	two, end := d.acme.look(queuesPath + "/" + patients + "/jobs?by=perform_in&dir=desc&limit=1&cursor=" + next).items()
	if len(one) != 1 || len(two) != 1 || end != "" || one[0]["id"] == two[0]["id"] {
		t.Errorf("the keys are %v, then %v, then %q", one, two, end)
	}
	d.globex.look(queuesPath+"/"+patients+"/jobs?by=perform_in&dir=desc&limit=1&cursor="+next).
		refuses(http.StatusBadRequest, "BAD_CURSOR")
	all, _ := d.acme.look(queuesPath + "/" + patients + "/jobs").items()
	paid := all[0]["payloads"].([]any)
	if all[0]["id"] != "A" || all[0]["count"] != 2.0 || len(paid) != 2 || all[0]["retry_count"] != -1.0 {
		t.Fatalf("the keys are %v", all)
	}
	if p := paid[0].(map[string]any); p["event_id"] != d.task+".1" || p["row"] != 2.0 || p["task_id"] != d.task {
		t.Errorf("the first payload is %v", p)
	}
	hot, _ := d.acme.look(queuesPath + "/" + patients + "/keys?top=1").items()
	if len(hot) != 1 || hot[0]["id"] != "A" || hot[0]["count"] != 2.0 {
		t.Errorf("the most is %v", hot)
	}
	_, err := d.opt.Queue.Admin().Kill(t.Context(), patients, "acme/A", "globex/A")
	fine(t, err)
	dead, _ := d.acme.look(queuesPath + "/" + patients + "/morgue?by=updated_at").items()
	if len(dead) != 1 || dead[0]["id"] != "A" || dead[0]["updated_at"] == nil || dead[0]["perform_in"] != nil {
		t.Errorf("the morgue holds %v", dead)
	}
	for _, path := range []string{"/jobs", "/morgue", "/busy", "/keys"} {
		body := d.acme.look(queuesPath + "/" + patients + path).body
		if strings.Contains(body, "0199") || strings.Contains(body, "5550177") || strings.Contains(body, "globex") {
			t.Errorf("%s tells what is another's, or masked: %s", path, body)
		}
		if list, _ := d.home.look(queuesPath + "/" + patients + path).items(); len(list) > 0 {
			t.Errorf("%s tells who owns the service %v", path, list)
		}
		if list, _ := d.acme.look(queuesPath + "/idle" + path).items(); len(list) > 0 {
			t.Errorf("a queue that nobody has used holds %v", list)
		}
	}
	d.acme.look(queuesPath+"/nothing").refuses(http.StatusNotFound, "NOT_FOUND")
	d.acme.look(queuesPath+"/"+patients+"/keys?top=101").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	d.acme.look(queuesPath+"/"+patients+"/busy?dir=asc").refuses(http.StatusBadRequest, "INVALID_PARAMETER", "There are: limit.")
}

// TestNodesAndWhatTheyRun reads the list of nodes, and the keys in flight.
func TestNodesAndWhatTheyRun(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.busy(3)
	busy, _ := d.acme.look(queuesPath + "/" + patients + "/busy?limit=5").items()
	if len(busy) != 2 || !strings.HasPrefix(busy[0]["node"].(string), "n1:") || busy[0]["redelivered"] != 0.0 {
		t.Errorf("acme's in flight are %v", busy)
	}
	d.until("the node tells of its shards", func() bool {
		nodes, _ := d.home.look("/api/v1/nodes").items()
		return len(nodes) == 1 && len(nodes[0]["shards"].(map[string]any)) == 1 && nodes[0]["in_flight"] == 4.0
	})
	d.home.look(queuesPath+"/"+patients).says("busy", 3, "nodes", 1)
}
