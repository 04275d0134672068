package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// envLimit is the environment variable with the role of a process in the tests of limits: "works", or
// "dies" for a process that dies in its first jobs.
const envLimit = "MIDDLEWARE_TEST_LIMIT"

// gauge is a counter, in Redis, of the running jobs of all processes.
type gauge struct {
	rdb    redis.UniversalClient
	prefix string
	name   string // of the process
}

// kind returns a kind of at most n jobs at once.
func (g gauge) kind(n int, dies bool) worker.Definer {
	return worker.Define("k", func(ctx context.Context, job *worker.Job[none]) error {
		running, err := g.rdb.Incr(ctx, g.prefix+"running").Result()
		if err != nil {
			return err
		}
		if dies && running == int64(n) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		if dies {
			select {} // until it dies
		}
		g.rdb.RPush(ctx, g.prefix+"most", running)
		g.rdb.HIncrBy(ctx, g.prefix+"ran", g.name, 1)
		time.Sleep(3 * time.Millisecond) // the work
		return g.rdb.Decr(ctx, g.prefix+"running").Err()
	}, worker.AtOnce(n))
}

// limitedProcess is the main function of a process of workers beside the test.
func limitedProcess(role string) error {
	service, err := fixture.Open(context.Background(), fixture.Options{
		Ledger: os.Getenv(envLedger), Redis: os.Getenv(envRedis), Prefix: os.Getenv(envPrefix), Folder: os.TempDir(),
	})
	if err != nil {
		return err
	}
	g := gauge{service.Redis, service.Options.Prefix + ":gauge:", "child"}
	lease := time.Duration(0)
	if role == "dies" {
		lease = 3 * time.Second
	}
	if _, err := startNode(service, lease, g.kind(3, role == "dies")); err != nil {
		return err
	}
	_, err = os.Stdin.Read(make([]byte, 1)) // returns when the test closes stdin
	return err
}

// process starts a process of workers with a role.
func (r *rig) process(role string) *exec.Cmd {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envLimit+"="+role, envLedger+"="+r.Options.Ledger,
		envRedis+"="+testenv.Redis(r.t), envPrefix+"="+r.Options.Prefix)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _, _ = in.Close(), cmd.Wait() })
	return cmd
}

// someKeys returns n keys.
func someKeys(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("key ", i))
	}
	return list
}

func TestLimit_AtOnceOfTwoProcesses_IsNeverExceeded(t *testing.T) {
	t.Parallel()
	r := newRig(t, ledgers.Postgres(t))
	g := gauge{r.Redis, r.Options.Prefix + ":gauge:", "parent"}
	r.start(g.kind(3, false))
	r.process("works")
	fixture.Eventually(t, "both processes have shards", func() bool {
		nodes, err := r.Queue.Admin().Nodes(t.Context())
		return err == nil && len(nodes) == 2 && len(nodes[0].Shards["k"])*len(nodes[1].Shards["k"]) > 0
	})
	begun := time.Now()
	rows := testenv.Size(120, 300)
	task := r.task("k", someKeys(rows)...)
	if now := r.await(task); now.Finish != int64(rows) {
		t.Fatalf("%d of %d rows finished", now.Finish, rows)
	}
	var most int64
	for _, text := range r.Redis.LRange(t.Context(), g.prefix+"most", 0, -1).Val() {
		n, _ := strconv.ParseInt(text, 10, 64)
		most = max(most, n)
	}
	ran := r.Redis.HGetAll(t.Context(), g.prefix+"ran").Val()
	t.Logf("%v by process, %v", ran, time.Since(begun))
	if most != 3 || ran["parent"] == "" || ran["child"] == "" {
		t.Errorf("%d jobs ran at once, want 3; jobs by process: %v", most, ran)
	}
}

func TestLimit_ProcessKilled_ItsPlacesAreFreeAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	task := r.task("k", someKeys(20)...)
	var exit *exec.ExitError
	if err := r.process("dies").Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process ended with %v", err)
	}
	g := gauge{r.Redis, r.Options.Prefix + ":gauge:", "parent"}
	r.start(g.kind(3, false))
	if now := r.await(task); now.Finish != 20 {
		t.Errorf("%d of 20 rows finished", now.Finish)
	}
}

func TestLimit_RateOfTwoNodes_IsNeverExceeded(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	const rate, rows = 40, 120
	task := r.task("k", someKeys(rows)...)
	var mu sync.Mutex
	var starts []time.Time
	kind := worker.Define("k", func(context.Context, *worker.Job[none]) error {
		mu.Lock()
		defer mu.Unlock()
		starts = append(starts, time.Now())
		return nil
	}, worker.Rate(rate, time.Second))
	r.start(kind)
	r.start(kind)
	r.await(task)
	took := starts[len(starts)-1].Sub(starts[0])
	t.Logf("%d starts in %v: %.1f a second", len(starts), took, float64(len(starts))/took.Seconds())
	if len(starts) != rows || took < (rows/rate-1)*time.Second-100*time.Millisecond {
		t.Errorf("%d starts in %v, want %d in no less than %d s", len(starts), took, rows, rows/rate-1)
	}
}

// TestLimit_OfATenant_HoldsUpNoOther fills the limit of one tenant. Jobs of another tenant in the same
// shard run, and rows of a key keep their order.
func TestLimit_OfATenant_HoldsUpNoOther(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	full := r.task("k", someKeys(100)...)
	var rows []events.Draft
	for i := range 20 {
		rows = append(rows, events.Draft{Row: i + 2, Key: fmt.Sprint("key ", i%4), Params: []byte("{}")})
	}
	other := r.AddOf(t, "globex", "k", rows...)
	blocked := make(chan struct{})
	var running atomic.Int64
	var mu sync.Mutex
	order := map[string][]int{}
	r.start(worker.Define("k", func(_ context.Context, job *worker.Job[none]) error {
		if job.Tenant == "acme" {
			if n := running.Add(1); n > 2 {
				t.Errorf("%d jobs of one tenant run at once", n)
			}
			defer running.Add(-1)
			<-blocked
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		order[job.Key] = append(order[job.Key], job.Row)
		return nil
	}, worker.AtOnce(2, worker.ByTenant), worker.Shards(1)))
	fixture.Eventually(t, "the rows of the other tenant have run", func() bool {
		now, err := r.Tasks.Get(t.Context(), "globex", other.ID)
		return err == nil && now.Finish == 20
	})
	if now := r.Task(t, full); now.Finish != 0 {
		t.Errorf("%d rows of the full tenant have finished", now.Finish)
	}
	close(blocked)
	if now := r.await(full); now.Finish != 100 {
		t.Errorf("%d of 100 rows finished", now.Finish)
	}
	for key, rows := range order {
		if len(rows) != 5 || !slices.IsSorted(rows) {
			t.Errorf("rows of %s ran in the order %v", key, rows)
		}
	}
}

// TestLimit_OfAColumn_CountsEachValue runs jobs of two tenants with two customers each.
func TestLimit_OfAColumn_CountsEachValue(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	var rows []events.Draft
	for i := range 12 {
		params := fmt.Sprintf(`{"Customer":"%c ","N":%d}`, 'A'+i%2, i)
		rows = append(rows, events.Draft{Row: i + 2, Key: fmt.Sprint("key ", i), Params: []byte(params)})
	}
	acme, globex := r.Add(t, "k", rows...), r.AddOf(t, "globex", "k", rows...)
	var mu sync.Mutex
	running, most := map[string]int{}, 0
	all := make(chan struct{})
	type order struct{ Customer string }
	r.start(worker.Define("k", func(_ context.Context, job *worker.Job[order]) error {
		of := job.Tenant + job.Args.Customer
		mu.Lock()
		if running[of]++; running[of] > 1 {
			t.Errorf("%d jobs of %s run at once", running[of], of)
		}
		if most = max(most, len(running)); len(running) == 4 {
			select {
			case <-all:
			default:
				close(all)
			}
		}
		mu.Unlock()
		<-all // all four customers run side by side
		mu.Lock()
		defer mu.Unlock()
		if running[of]--; running[of] == 0 {
			delete(running, of)
		}
		return nil
	}, worker.AtOnce(1, "Customer")))
	r.await(acme)
	fixture.Eventually(t, "both tasks end", func() bool {
		now, err := r.Tasks.Get(t.Context(), "globex", globex.ID)
		return err == nil && now.Finish == 12
	})
	if most != 4 {
		t.Errorf("jobs of %d customers ran at once, want 4", most)
	}
}

// TestLimit_Latest_NewestOfAKeyRuns runs three rows of a key with a limit of one job at once.
func TestLimit_Latest_NewestOfAKeyRuns(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	task := r.task("k", "a", "a", "a")
	var ran atomic.Int64
	r.start(worker.Define("k", func(_ context.Context, job *worker.Job[none]) error {
		ran.Add(int64(job.Row))
		return nil
	}, worker.AtOnce(1), worker.Latest()))
	if now := r.await(task); now.Finish != 3 || ran.Load() != 4 {
		t.Errorf("finish %d, sum of the rows that ran %d; want 3, and row 4 alone", now.Finish, ran.Load())
	}
}

// TestLimit_OfAnUntrackedKind_Holds works on the queue alone.
func TestLimit_OfAnUntrackedKind_Holds(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	var running, ran atomic.Int64
	n := r.start(worker.Define("k", func(context.Context, *worker.Job[none]) error {
		defer running.Add(-1)
		if now := running.Add(1); now > 1 {
			t.Errorf("%d jobs run at once", now)
		}
		time.Sleep(time.Millisecond) // the work
		ran.Add(1)
		return nil
	}, worker.AtOnce(1), worker.Track(false)))
	var list []queue.Job
	for _, key := range someKeys(50) {
		list = append(list, queue.Job{Queue: "k", Key: "acme/" + key, Payload: []byte("{}")})
	}
	if err := n.Queue.Push(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
	fixture.Eventually(t, "all have run", func() bool { return ran.Load() == 50 })
}

// TestLimit_CanceledRows_NeedNoPermit cancels a task whose rows wait for a rate that is used up.
func TestLimit_CanceledRows_NeedNoPermit(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	task := r.task("k", someKeys(10)...)
	n := r.start(worker.Define("k", func(context.Context, *worker.Job[none]) error { return nil }, worker.Rate(2, time.Hour)))
	fixture.Eventually(t, "two rows have run", func() bool { return r.Task(t, task).Finish == 2 })
	r.canceler(n)
	r.cancel(task)
	if now := r.await(task); now.Finish != 2 || now.Canceled != 8 {
		t.Fatalf("finish %d, canceled %d; want 2 and 8", now.Finish, now.Canceled)
	}
	fixture.Eventually(t, "the canceled rows leave Redis", func() bool {
		_, _ = n.Queue.Admin().PerformAllNow(t.Context(), "k")
		st, err := n.Queue.Admin().Stats(t.Context(), "k")
		return err == nil && st.Length == 0 && st.Busy == 0
	})
}

// TestLimit_LatestOfAColumn_CountsTheNewest has a key whose newest row names another customer than its
// oldest, and a second key of this customer.
func TestLimit_LatestOfAColumn_CountsTheNewest(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	var rows []events.Draft
	for i, of := range []string{"aA", "aB", "bB"} {
		rows = append(rows, events.Draft{Row: i + 2, Key: of[:1], Params: fmt.Appendf(nil, `{"Customer":%q}`, of[1:])})
	}
	task := r.Add(t, "k", rows...)
	type order struct{ Customer string }
	var running atomic.Int64
	r.start(worker.Define("k", func(ctx context.Context, job *worker.Job[order]) error {
		defer running.Add(-1)
		if running.Add(1) > 1 {
			t.Errorf("two jobs of customer %s run at once", job.Args.Customer)
			return nil
		}
		fixture.Eventually(t, "the other key waits, has ended, or runs", func() bool {
			st, err := r.Queue.Admin().Stats(ctx, "k")
			return err == nil && (st.Busy <= 1 || running.Load() > 1)
		})
		return nil
	}, worker.AtOnce(1, "Customer"), worker.Latest(), worker.Shards(1)))
	if now := r.await(task); now.Finish != 3 {
		t.Errorf("%d of 3 rows finished", now.Finish)
	}
}

// TestLimit_NewestRowOfAnotherScope_KeepsItsPause fills the limit of customer A, so that a row of A
// waits. A newer row of the same key names customer B, runs, and waits an hour for a retry. The end of
// the job that filled the limit must not start that retry early.
func TestLimit_NewestRowOfAnotherScope_KeepsItsPause(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	row := func(n int, key, customer string) events.Draft {
		return events.Draft{Row: n, Key: key, Params: fmt.Appendf(nil, `{"Customer":%q}`, customer)}
	}
	type order struct{ Customer string }
	var ofA, ofB atomic.Int64
	end := make(chan bool)
	n := r.start(worker.Define("k", func(ctx context.Context, job *worker.Job[order]) error {
		if job.Args.Customer == "A" {
			ofA.Add(1)
			<-end
			return nil
		}
		ofB.Add(1)
		return errors.New("try again in an hour")
	}, worker.AtOnce(1, "Customer"), worker.Latest(), worker.Shards(1),
		worker.RetryIn(func(int) time.Duration { return time.Hour })))
	r.Add(t, "k", row(2, "blocker", "A"))
	fixture.Eventually(t, "the blocker runs", func() bool { return ofA.Load() == 1 })
	r.Add(t, "k", row(2, "a", "A"))
	fixture.Eventually(t, "key a is refused", func() bool {
		return len(r.Redis.Keys(t.Context(), r.Options.Prefix+":*refused").Val()) == 1
	})
	r.Add(t, "k", row(2, "a", "B"))
	fixture.Eventually(t, "the newest row has failed", func() bool {
		st, err := n.Queue.Admin().Stats(t.Context(), "k")
		return err == nil && ofB.Load() == 1 && st.Busy == 1
	})
	close(end)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if n := ofB.Load(); n != 1 {
			t.Fatalf("the row ran %d times within its hour", n)
		}
	}
}
