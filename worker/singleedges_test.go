package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

var errOnce = errors.New("the first try fails")

// TestEnqueueTx_InAHandlerOfDefineTx_AddsOnceIfItCommits: a handler of DefineTx adds jobs in its
// transaction: with Unique, with Parent, and plain. Its first attempt fails after that.
func TestEnqueueTx_InAHandlerOfDefineTx_AddsOnceIfItCommits(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		s := &shop{T: t}
		var mu sync.Mutex
		tries := 0
		s.sell = worker.Define("sell", s.take, worker.Unique(10*time.Minute))
		s.plain = worker.Define("plain", noop[map[string]any])
		chain := worker.DefineTx("chain", func(ctx context.Context, tx worker.Tx, job *worker.Job[map[string]any]) error {
			for i := range 2 {
				ref, err := s.sell.EnqueueTx(ctx, s.client, tx, anvil("c1"), worker.Parent(job.TaskID))
				if err != nil || ref.Deduplicated != (i == 1) {
					return fmt.Errorf("job %d: %+v, %w", i, ref, err)
				}
			}
			if _, err := s.plain.EnqueueTx(ctx, s.client, tx, map[string]any{"n": 1}, worker.Name("free")); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if tries++; tries == 1 {
				return errOnce
			}
			return nil
		}, worker.RetryIn(func(int) time.Duration { return 0 }))
		s.Service = fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(s.sell, s.plain, chain)})
		s.client = newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{})
		ref, err := chain.Enqueue(s.Context(), s.client, map[string]any{"n": 1})
		s.fine(err)
		s.work()
		if st := s.await(ref.TaskID); st != tasks.Finished {
			s.Errorf("the task is %s", st)
		}
		list, err := s.Tasks.List(s.Context(), "default", tasks.Filter{Limit: 500})
		s.fine(err)
		for i := range list {
			s.await(list[i].ID)
		}
		mu.Lock()
		defer mu.Unlock()
		if len(list) != 3 || len(s.sold) != 1 || tries != 2 {
			s.Errorf("%d tasks, %d sold, %d tries", len(list), len(s.sold), tries)
		}
	})
}

// asked is a context that signals when a caller first calls Done.
type asked struct {
	context.Context
	once  sync.Once
	waits chan struct{}
}

func (a *asked) Done() <-chan struct{} {
	a.once.Do(func() { close(a.waits) })
	return a.Context.Done()
}

// enqueue enqueues a job in a goroutine. It returns once that goroutine waits for the commit.
func (s *shop) enqueue(ctx context.Context, all *sync.WaitGroup, name string) {
	c := &asked{Context: ctx, waits: make(chan struct{})}
	all.Go(func() { _, _ = s.plain.Enqueue(c, s.client, map[string]any{"n": name}) })
	<-c.waits
}

// TestEnqueue_FirstCallerGaveUp_FeederIsWoken: the first caller of a transaction gives up, and the
// others return.
func TestEnqueue_FirstCallerGaveUp_FeederIsWoken(t *testing.T) {
	onEach(t, func(s *shop) {
		if s.DB.Pool == nil {
			return // SQLite does not show which statements wait for its lock
		}
		rings, end := s.Queue.Subscribe(jobs.FeedTopic)
		defer end()
		<-rings // the first signal only means that the subscription is connected
		lock := s.DB.Write.Begin()
		defer lock.Rollback()
		pid := 0
		s.fine(lock.Exec("LOCK TABLE rollcall.tasks IN EXCLUSIVE MODE").Error)
		s.fine(lock.Raw("SELECT pg_backend_pid()").Scan(&pid).Error)
		blocked := func(n int) {
			fixture.Eventually(s, "statements wait for the lock", func() bool {
				now := 0
				s.fine(s.DB.Read.Raw("SELECT count(*) FROM pg_stat_activity WHERE ? = ANY (pg_blocking_pids(pid))", pid).Scan(&now).Error)
				return now == n
			})
		}
		var turns, first, others sync.WaitGroup
		short, free := context.WithCancel(s.Context())
		s.enqueue(short, &turns, "turn")
		blocked(1)
		hasty, giveUp := context.WithCancel(s.Context())
		s.enqueue(hasty, &first, "first")
		for range 3 {
			s.enqueue(s.Context(), &others, "other")
		}
		free()
		turns.Wait()
		blocked(1)
		giveUp()
		first.Wait()
		s.fine(lock.Rollback().Error)
		others.Wait()
		select {
		case <-rings:
		case <-time.After(time.Minute):
			s.Error("no caller has woken the feeder")
		}
	})
}

// TestEnqueue_DatabaseBreaksItOff_IsTriedAgain makes the first INSERT fail with a serialization failure.
func TestEnqueue_DatabaseBreaksItOff_IsTriedAgain(t *testing.T) {
	onEach(t, func(s *shop) {
		if s.DB.Pool == nil {
			return
		}
		s.fine(s.DB.Write.Exec("CREATE SEQUENCE broken").Error)
		s.fine(s.DB.Write.Exec(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('broken') = 1 THEN RAISE EXCEPTION 'broken off' USING ERRCODE = '40001'; END IF;
			RETURN NEW; END $$`).Error)
		s.fine(s.DB.Write.Exec("CREATE TRIGGER break_off BEFORE INSERT ON rollcall.tasks FOR EACH ROW EXECUTE FUNCTION break_off()").Error)
		if _, err := s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": 1}); err != nil {
			s.Error(err)
		}
	})
}

// TestEnqueue_NumbersLeftTheBlocksThatAreThere_AddsAllTheSame: the next task number is in a block
// without a partition, and the client has read the partitions before.
func TestEnqueue_NumbersLeftTheBlocksThatAreThere_AddsAllTheSame(t *testing.T) {
	onEach(t, func(s *shop) {
		if s.DB.Pool == nil {
			return
		}
		_, err := s.sell.Enqueue(s.Context(), s.client, anvil("a"))
		s.fine(err)
		s.fine(s.DB.Write.Exec("SELECT setval('rollcall.tasks_num_seq', ?)", 40<<16).Error)
		if _, err := s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": 1}); err != nil {
			s.Error("together:", err)
		}
		s.fine(s.DB.Write.Exec("SELECT setval('rollcall.tasks_num_seq', ?)", 50<<16).Error)
		if _, err := s.sell.Enqueue(s.Context(), s.client, anvil("b")); err != nil {
			s.Error("unique:", err)
		}
		s.fine(s.DB.Write.Exec("SELECT setval('rollcall.tasks_num_seq', ?)", 60<<16).Error)
		for try := range 2 {
			err := pgx.BeginFunc(s.Context(), s.DB.Pool, func(tx pgx.Tx) error {
				_, err := s.plain.EnqueueTx(s.Context(), s.client, tx, map[string]any{"n": 1})
				return err
			})
			if try == 1 && err != nil {
				s.Error("the second transaction:", err)
			}
		}
	})
}

// TestEnqueueTx_ParentHasNoLaneYet_OtherTasksAreFed holds a transaction that adds a child. It locks the
// parent task, which is the first task of its lane.
func TestEnqueueTx_ParentHasNoLaneYet_OtherTasksAreFed(t *testing.T) {
	onEach(t, func(s *shop) {
		if s.DB.Pool == nil {
			return // SQLite has one writer
		}
		parent, err := s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": 1})
		s.fine(err)
		tx, err := s.DB.Pool.Begin(s.Context())
		s.fine(err)
		defer func() { _ = tx.Rollback(context.WithoutCancel(s.Context())) }()
		_, err = s.plain.EnqueueTx(s.Context(), s.client, tx, map[string]any{"n": 2}, worker.Parent(parent.TaskID))
		s.fine(err)
		other, err := s.sell.Enqueue(s.Context(), s.client, anvil("o1"))
		s.fine(err)
		ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
		defer cancel()
		lanes, err := lanes.New(s.Tasks).Lanes(ctx)
		if err != nil || len(lanes) != 1 || lanes[0].Kind != "sell" {
			s.Fatalf("%+v, %v", lanes, err)
		}
		s.fine(tx.Commit(s.Context()))
		s.work()
		for _, ref := range []worker.Ref{parent, other} {
			s.await(ref.TaskID)
		}
	})
}

// TestEnqueue_ArgumentsAreNoText_AreRefused: arguments contain bytes that are no text.
func TestEnqueue_ArgumentsAreNoText_AreRefused(t *testing.T) {
	onEach(t, func(s *shop) {
		ref, err := s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": json.RawMessage("\"a\xffb\"")})
		if err == nil {
			task, _ := s.Tasks.Get(s.Context(), "default", ref.TaskID)
			row := s.record("events", "id = ?", task.Num<<32|1)
			s.Errorf("added as %q", row["params"])
		}
	})
}
