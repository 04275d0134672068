package worker_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// shop is a program that enqueues jobs, and a node that runs them once it was started.
type shop struct {
	*testing.T
	*fixture.Service
	client *worker.Client
	sell   *worker.Definition[product]
	plain  *worker.Definition[map[string]any]
	bare   *worker.Definition[product]

	mu   sync.Mutex
	sold []product
}

func on(t *testing.T, story func(*shop)) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		story(newShop(t, url, enqueue.Options{}))
	})
}

// newClient returns a client on the connections of a test.
func newClient(db *ledger.DB, q *queue.Client, kinds *jobs.Registry, opt enqueue.Options) *worker.Client {
	return enqueue.Public(enqueue.New(db, q, kinds, opt)).(*worker.Client)
}

// onEach is like `on`, but runs a test on both SQLite and Postgres in every tier.
func onEach(t *testing.T, story func(*shop)) {
	ledgers.Each(t, func(t *testing.T, url string) {
		story(newShop(t, url, enqueue.Options{}))
	})
}

func newShop(t *testing.T, url string, opt enqueue.Options) *shop {
	t.Helper()
	s := &shop{T: t}
	s.sell = worker.Define("sell", s.take, worker.Unique(10*time.Minute))
	s.plain = worker.Define("plain", noop[map[string]any])
	s.bare = worker.Define("bare", s.take, worker.Track(false))
	s.Service = fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(s.sell, s.plain, s.bare)})
	s.client = newClient(s.DB, s.Queue, s.Kinds, opt)
	return s
}

func (s *shop) take(_ context.Context, job *worker.Job[product]) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sold = append(s.sold, job.Args)
	return nil
}

func (s *shop) fine(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// work starts a node that feeds and runs the jobs.
func (s *shop) work() {
	s.Helper()
	n, err := s.Start(fixture.NodeOptions{})
	s.fine(err)
	s.Cleanup(n.Stop)
}

// await waits until a task is done.
func (s *shop) await(id string) tasks.Status {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	st, err := s.client.Find("default", id).Wait(ctx)
	s.fine(err)
	return st
}

// tasks returns the number of tasks.
func (s *shop) tasks() int {
	s.Helper()
	list, err := tasks.New(s.DB, tasks.Options{}).List(s.Context(), "default", tasks.Filter{Limit: 500})
	s.fine(err)
	return len(list)
}

func anvil(sku string) product {
	stock := int64(-0)
	return product{
		SKU: sku, Price: decimal.RequireFromString("12345678901234567890.123456789"), Stock: &stock,
		Start: time.Date(2026, 11, 21, 10, 11, 12, 345678901, time.FixedZone("", 3600)), Live: true,
	}
}

// TestArgumentsComeBackAsTheyWere: arguments pass the ledger and the queue unchanged.
func TestArgumentsComeBackAsTheyWere(t *testing.T) {
	on(t, func(s *shop) {
		ref, err := s.sell.Enqueue(s.Context(), s.client, anvil("a1"))
		s.fine(err)
		if ref.ID != ref.TaskID+".1" || ref.Deduplicated {
			s.Errorf("ref = %+v", ref)
		}
		s.work()
		if st := s.await(ref.TaskID); st != tasks.Finished {
			s.Errorf("the task is %s", st)
		}
		if diff := cmp.Diff([]product{anvil("a1")}, s.sold); diff != "" {
			s.Errorf("arguments (-want +got):\n%s", diff)
		}
	})
}

// TestAnUntrackedJob runs through the queue alone.
func TestAnUntrackedJob(t *testing.T) {
	t.Parallel()
	s := newShop(t, ledgers.SQLite(t), enqueue.Options{})
	ref, err := s.bare.Enqueue(s.Context(), s.client, anvil("a1"), worker.Tenant("acme"))
	if err != nil || ref != (worker.Ref{}) || s.tasks() != 0 {
		s.Fatalf("Enqueue = %+v, %v; %d tasks", ref, err, s.tasks())
	}
	s.work()
	for sold := 0; sold == 0; s.breathe() {
		s.mu.Lock()
		sold = len(s.sold)
		s.mu.Unlock()
	}
	if diff := cmp.Diff([]product{anvil("a1")}, s.sold); diff != "" {
		s.Errorf("arguments (-want +got):\n%s", diff)
	}
	_, named := s.bare.Enqueue(s.Context(), s.client, anvil("a1"), worker.Name("n"))
	_, task := s.bare.Task(s.Context(), s.client, "t", products(1, nil))
	tx := s.DB.Write.Transaction(func(tx ledger.Gorm) error {
		_, err := s.bare.EnqueueTx(s.Context(), s.client, tx, anvil("a1"))
		return err
	})
	for _, err := range []error{named, task, tx} {
		if !errors.Is(err, worker.ErrUntracked) {
			s.Errorf("%v, want ErrUntracked", err)
		}
	}
}

func TestWhatEnqueueRefuses(t *testing.T) {
	on(t, func(s *shop) {
		ctx := s.Context()
		_, err := s.sell.Enqueue(ctx, s.client, product{SKU: "a12345", Price: decimal.NewFromInt(-1)})
		var f *worker.Failure
		if !errors.As(err, &f) || len(f.Fields) != 2 || f.Fields[0].Column != "SKU" || f.Fields[1].Column != "Price" {
			s.Errorf("two faults: %v", err)
		}
		memo := anvil("a1")
		memo.Memo = "kept?"
		stranger := worker.Define("stranger", noop[product])
		huge := map[string]any{"a": string(make([]byte, worker.MaxParams))}
		tests := map[string]struct {
			do   func() error
			want error
		}{
			"a value that would be lost": {func() error { _, err := s.sell.Enqueue(ctx, s.client, memo); return err }, nil},
			"an unknown kind": {
				func() error { _, err := stranger.Enqueue(ctx, s.client, anvil("a")); return err },
				worker.ErrUnknownKind,
			},
			"too large": {func() error { _, err := s.plain.Enqueue(ctx, s.client, huge); return err }, nil},
			"no JSON": {func() error {
				_, err := s.plain.Enqueue(ctx, s.client, map[string]any{"x": math.NaN()})
				return err
			}, nil},
			"a child of nobody": {func() error {
				_, err := s.sell.Enqueue(ctx, s.client, anvil("a"), worker.Parent(tasks.NewID()))
				return err
			}, tasks.ErrParent},
			"a job after no task": {func() error {
				_, err := s.sell.Enqueue(ctx, s.client, anvil("a"), worker.After(tasks.NewID()))
				return err
			}, tasks.ErrAfterUnknown},
			"a key for all rows": {func() error {
				_, err := s.sell.Task(ctx, s.client, "t", products(1, nil), worker.Key("k"))
				return err
			}, worker.ErrOption},
		}
		for name, tt := range tests {
			if err := tt.do(); err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				s.Errorf("%s: %v, want %v", name, err, tt.want)
			}
		}
		for i, o := range []worker.EnqueueOption{
			worker.Tenant(""), worker.Tenant("a\x00"), worker.Name("two\nlines"), worker.Priority(1001),
			worker.Delay(-1), worker.At(time.Date(56000, 1, 1, 0, 0, 0, 0, time.UTC)),
			worker.Labels(map[string]string{"": "x"}),
		} {
			if _, err := s.sell.Enqueue(ctx, s.client, anvil("a"), o); !errors.Is(err, worker.ErrOption) {
				s.Errorf("option %d: %v, want ErrOption", i, err)
			}
		}
		for _, key := range []string{"a\x00", "\xff", string(make([]byte, worker.MaxKey+1))} {
			if _, err := s.sell.Enqueue(ctx, s.client, anvil("a"), worker.Key(key)); !errors.As(err, &f) {
				s.Errorf("key %.5q: %v, want a failure", key, err)
			}
		}
		if n := s.tasks(); n != 0 {
			s.Errorf("%d tasks were added", n)
		}
	})
}

func TestOptionsOfAJob(t *testing.T) {
	on(t, func(s *shop) {
		later := time.Now().Add(time.Hour).Truncate(time.Millisecond)
		ref, err := s.sell.Enqueue(s.Context(), s.client, anvil("a1"), worker.Key("k"), worker.Name("n"),
			worker.Tenant("acme"), worker.Priority(7), worker.Labels(map[string]string{"a": "b"}), worker.At(later))
		s.fine(err)
		task, err := s.client.Find("acme", ref.TaskID).Get(s.Context())
		s.fine(err)
		if task.Name != "n" || task.Priority != 7 || task.Labels["a"] != "b" || task.RunAt != later.UnixMilli() {
			s.Errorf("task = %+v", task)
		}
		e, err := events.New(s.DB, events.Options{}).Get(s.Context(), events.NewID(task.Num, 1))
		s.fine(err)
		if e.Key != "k" || e.NextRunAt == nil || *e.NextRunAt != later.UnixMilli() {
			s.Errorf("event = %+v", e)
		}
	})
}

func TestADelayedJobRunsWhenItIsTime(t *testing.T) {
	on(t, func(s *shop) {
		s.work()
		begun := time.Now()
		ref, err := s.sell.Enqueue(s.Context(), s.client, anvil("a1"), worker.Delay(300*time.Millisecond))
		s.fine(err)
		s.await(ref.TaskID)
		if took := time.Since(begun); took < 300*time.Millisecond {
			s.Errorf("it ran after %v", took)
		}
	})
}

func TestTheSameJobIsThereOnce(t *testing.T) {
	on(t, func(s *shop) {
		var wg sync.WaitGroup
		var made atomic.Int64
		ids := make([]string, 10)
		for i := range ids {
			wg.Go(func() {
				ref, err := s.sell.Enqueue(context.Background(), s.client, anvil("a1"))
				if err != nil {
					s.Error(err)
				}
				if ids[i] = ref.ID; !ref.Deduplicated {
					made.Add(1)
				}
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id != ids[0] {
				s.Errorf("ids %q and %q", id, ids[0])
			}
		}
		if made.Load() != 1 || s.tasks() != 1 {
			s.Errorf("%d made a task, %d tasks are there; want 1", made.Load(), s.tasks())
		}
		for _, other := range []struct {
			args product
			opt  worker.EnqueueOption
		}{{anvil("a2"), worker.Name("")}, {anvil("a1"), worker.Tenant("acme")}} {
			if ref, err := s.sell.Enqueue(s.Context(), s.client, other.args, other.opt); err != nil || ref.Deduplicated {
				s.Errorf("other work: %+v, %v", ref, err)
			}
		}
		s.work()
		s.await(ids[0][:36])
		if ref, err := s.sell.Enqueue(s.Context(), s.client, anvil("a1")); err != nil || ref.Deduplicated {
			s.Errorf("after its end: %+v, %v", ref, err)
		}
	})
}

// transactions lists the ways to begin a transaction in the ledger's database.
func (s *shop) transactions() map[string]func(f func(tx any) error) error {
	out := map[string]func(f func(tx any) error) error{
		"gorm": func(f func(tx any) error) error {
			return s.DB.Write.Transaction(func(tx ledger.Gorm) error { return f(tx) })
		},
		"sql": func(f func(tx any) error) error {
			db, err := s.DB.Write.DB()
			s.fine(err)
			tx, err := db.BeginTx(s.Context(), nil)
			s.fine(err)
			defer func() { _ = tx.Rollback() }() // after the commit it does nothing
			if err := f(tx); err != nil {
				return err
			}
			return tx.Commit()
		},
	}
	if s.DB.Pool != nil {
		out["pgx"] = func(f func(tx any) error) error {
			return pgx.BeginFunc(s.Context(), s.DB.Pool, func(tx pgx.Tx) error { return f(tx) })
		}
	}
	return out
}

func TestEnqueueTx_AnyTransaction_AddsIfItCommits(t *testing.T) {
	onEach(t, func(s *shop) {
		ctx, sorry := s.Context(), errors.New("sorry")
		var committed, parents []string
		for name, begin := range s.transactions() {
			var gone, kept worker.Ref
			before := s.waiting()
			err := begin(func(tx any) (err error) {
				if gone, err = s.sell.EnqueueTx(ctx, s.client, tx, anvil(name)); err != nil {
					return err
				}
				return sorry
			})
			if !errors.Is(err, sorry) {
				s.Fatalf("%s: %v", name, err)
			}
			if _, err := s.client.Find("default", gone.TaskID).Get(ctx); !errors.Is(err, tasks.ErrNotFound) {
				s.Errorf("%s: rolled back, and there: %v", name, err)
			}
			if n := s.waiting() - before; n != 0 {
				s.Errorf("%s: %d rows are left of a rollback", name, n)
			}
			parent, err := s.client.Find("default", s.plainTask()).Get(ctx)
			s.fine(err)
			s.fine(begin(func(tx any) (err error) {
				kept, err = s.sell.EnqueueTx(ctx, s.client, tx, anvil(name), worker.Parent(parent.ID))
				if err != nil || kept.Deduplicated {
					return fmt.Errorf("%+v, %w", kept, err)
				}
				again, err := s.sell.EnqueueTx(ctx, s.client, tx, anvil(name))
				if err == nil && (again.ID != kept.ID || !again.Deduplicated) {
					return fmt.Errorf("the same in one transaction: %+v", again)
				}
				return err
			}))
			committed = append(committed, kept.TaskID)
			parents = append(parents, parent.ID)
		}
		s.fine(s.client.Wake(ctx))
		s.work() // from here on a parent may end
		for _, id := range committed {
			if st := s.await(id); st != tasks.Finished {
				s.Errorf("committed, and %s", st)
			}
		}
		for _, id := range parents {
			s.await(id)
		}
		if _, err := s.sell.EnqueueTx(ctx, s.client, s.DB.Write, anvil("a2")); !errors.Is(err, ledger.ErrNotJoinable) {
			s.Errorf("without a transaction: %v", err)
		}
	})
}

// plainTask enqueues a job that can have children, and returns its task.
func (s *shop) plainTask() string {
	ref, err := s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": 1})
	s.fine(err)
	return ref.TaskID
}

// waiting returns the number of waiting rows plus the number of feeds.
func (s *shop) waiting() (n int64) {
	s.Helper()
	s.fine(s.DB.Read.Raw("SELECT (SELECT count(*) FROM rollcall.events WHERE status = 'enqueue') + (SELECT count(*) FROM rollcall.feeds)").Scan(&n).Error)
	return n
}

// products yields n products and then an error, if it is not nil. Every tenth product breaks a
// rule.
func products(n int, end error) iter.Seq2[product, error] {
	return func(yield func(product, error) bool) {
		for i := range n {
			p := anvil(fmt.Sprint(i))
			if i%10 == 9 {
				p.Price = decimal.NewFromInt(-1)
			}
			if !yield(p, nil) {
				return
			}
		}
		if end != nil {
			yield(product{}, end)
		}
	}
}

func TestATaskOfManyRows(t *testing.T) {
	on(t, func(s *shop) {
		s.work()
		ref, err := s.sell.Task(s.Context(), s.client, "Spring", products(2500, nil), worker.Priority(3))
		s.fine(err)
		if st := s.await(ref.ID); st != tasks.FinishedWithFailures {
			s.Errorf("the task is %s", st)
		}
		got, err := ref.Counts(s.Context())
		s.fine(err)
		if diff := cmp.Diff(worker.Counts{Total: 2500, Finish: 2250, Failed: 250}, got); diff != "" {
			s.Errorf("counts (-want +got):\n%s", diff)
		}
		task, err := ref.Get(s.Context())
		s.fine(err)
		if task.Name != "Spring" || !task.TotalIsFinal || len(s.sold) != 2250 {
			s.Errorf("%d sold by %+v", len(s.sold), task)
		}
	})
}

// TestRowsThatBreakOff ends the sequence of rows with an error. The rows added before the error stay
// and run. The task and the error of Task hold the reason.
func TestRowsThatBreakOff(t *testing.T) {
	on(t, func(s *shop) {
		s.work()
		sorry := errors.New("the source is away")
		ref, err := s.sell.Task(s.Context(), s.client, "Spring", products(1005, sorry))
		if !errors.Is(err, sorry) || ref == nil {
			s.Fatalf("Task = %v, %v", ref, err)
		}
		s.ended(ref, worker.CodeBrokenOff, 1005)

		ctx, cancel := context.WithCancel(s.Context())
		stopped := func(yield func(product, error) bool) {
			for i := range 2000 {
				if i == 1500 {
					cancel()
				}
				if !yield(anvil(fmt.Sprint(i)), nil) {
					return
				}
			}
		}
		if ref, err = s.sell.Task(ctx, s.client, "Summer", stopped); !errors.Is(err, context.Canceled) {
			s.Errorf("stopped: %v", err)
		}
		s.ended(ref, worker.CodeBrokenOff, 1501)
	})
}

// ended checks a task that was broken off after some of n rows.
func (s *shop) ended(ref *worker.TaskRef, code string, n int64) {
	s.Helper()
	if st := s.await(ref.ID); st != tasks.Failed {
		s.Errorf("the task is %s, want failed", st)
	}
	task, err := ref.Get(s.Context())
	s.fine(err)
	if task.Problem == nil || task.Problem.Code != code || task.Total < 1 || task.Total > n ||
		task.Finish+task.Failed != task.Total {
		s.Errorf("problem %+v, %d of %d rows at rest; want %s after some of %d",
			task.Problem, task.Finish+task.Failed, task.Total, code, n)
	}
}

func TestAPanicOfTheRowsEndsTheTask(t *testing.T) {
	on(t, func(s *shop) {
		func() {
			defer func() {
				if recover() == nil {
					s.Error("the panic was swallowed")
				}
			}()
			_, _ = s.sell.Task(s.Context(), s.client, "t", func(func(product, error) bool) { panic("ouch") })
		}()
		list, err := tasks.New(s.DB, tasks.Options{}).List(s.Context(), "default", tasks.Filter{})
		s.fine(err)
		if len(list) != 1 || list[0].Status != tasks.Failed {
			s.Errorf("tasks %+v", list)
		}
	})
}

// These are the environment variables of a program that is killed in the middle of a task.
const (
	envLedger = "WORKER_TEST_LEDGER"
	envRedis  = "WORKER_TEST_REDIS"
)

// TestMain also runs the test as the program that is killed.
func TestMain(m *testing.M) {
	if os.Getenv(envLedger) == "" {
		testenv.Main(m, 8)
	}
	ctx := context.Background()
	db, err := ledger.Open(ctx, os.Getenv(envLedger), ledger.Options{})
	if err != nil {
		panic(err)
	}
	opt, err := redis.ParseURL(os.Getenv(envRedis))
	if err != nil {
		panic(err)
	}
	sell := worker.Define("sell", noop[product])
	q := queue.NewClient(redis.NewClient(opt), queue.ClientOptions{Queues: []queue.Spec{{Name: "sell"}}})
	claim := map[bool]time.Duration{false: 5 * time.Second, true: 8 * time.Second}[testenv.All]
	c := newClient(db, q, jobs.RegistryOf(worker.NewRegistry(sell)), enqueue.Options{Claim: claim})
	_, err = sell.Task(ctx, c, "killed", func(yield func(product, error) bool) {
		for p, err := range products(1500, nil) {
			yield(p, err)
		}
		select {} // waits to be killed, with less than a chunk of rows in memory
	})
	panic(err)
}

// TestAProgramKilledBetweenChunks kills a program while it adds rows. The service closes its task.
func TestAProgramKilledBetweenChunks(t *testing.T) {
	on(t, func(s *shop) {
		self, err := os.Executable()
		s.fine(err)
		p := testenv.StartProcess(s.T, self, []string{envLedger + "=" + s.Options.Ledger, envRedis + "=" + testenv.Redis(s.T)})
		ts, es := tasks.New(s.DB, tasks.Options{}), events.New(s.DB, events.Options{})
		var task tasks.Task
		begun := time.Now()
		for task.Total <= 500 { // on a slow machine the first chunk may have fewer than 1,000 rows
			list, err := ts.List(s.Context(), "default", tasks.Filter{})
			s.fine(err)
			if len(list) > 0 {
				task = list[0]
			}
			if !p.Running() || time.Since(begun) > 2*time.Minute {
				s.Fatalf("%d rows of the program; does it run: %v; %s", task.Total, p.Running(), p.Stderr())
			}
			s.breathe()
		}
		closer := reconcile.NewAbandonedCloser(ts, es, reconcile.AbandonedOptions{})
		s.fine(closer.Close(s.Context()))
		if got, err := ts.Get(s.Context(), "default", task.ID); err != nil || got.TotalIsFinal {
			s.Fatalf("closed while its program lives: %+v, %v", got, err)
		}
		p.Kill()
		s.work()
		for killed := time.Now(); !task.TotalIsFinal; {
			if time.Since(killed) > 2*time.Minute {
				s.Fatalf("not closed: %+v", task)
			}
			s.fine(closer.Close(s.Context()))
			got, err := ts.Get(s.Context(), "default", task.ID)
			s.fine(err)
			task = *got
			s.breathe()
		}
		s.ended(s.client.Find("default", task.ID), reconcile.CodeAbandoned, 1500)
	})
}

// breathe waits a moment, so that other processes get the processor.
func (s *shop) breathe() {
	s.Helper()
	select {
	case <-s.Context().Done():
		s.Fatal(s.Context().Err())
	case <-time.After(50 * time.Millisecond):
	}
}

// TestRowsAreHeldByTheChunk checks that at most one chunk of a task's rows is in memory.
func TestRowsAreHeldByTheChunk(t *testing.T) {
	t.Parallel()
	s := newShop(t, ledgers.SQLite(t), enqueue.Options{Chunk: 10})
	var most int64
	total := func() int64 {
		list, err := tasks.New(s.DB, tasks.Options{}).List(s.Context(), "default", tasks.Filter{})
		s.fine(err)
		return list[0].Total
	}
	_, err := s.plain.Task(s.Context(), s.client, "t", func(yield func(map[string]any, error) bool) {
		for i := range int64(200) {
			if !yield(map[string]any{"i": i}, nil) {
				return
			}
			most = max(most, i+1-total())
		}
	})
	s.fine(err)
	if most > 10 {
		s.Errorf("%d rows were held, want at most a chunk of 10", most)
	}
}
