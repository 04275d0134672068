package feed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// past is a service whose ledger is set back while it runs.
type past struct {
	t    *testing.T
	opt  fixture.Options
	mu   sync.Mutex
	runs []ranRow
	lost string // id of the task whose rows fail
	svc  *fixture.Service
	node *fixture.Node
}

// ranRow is one run of a row.
type ranRow struct {
	task, key string
	row       int
}

const pastKeys = 8 // number of keys; successive rows have successive keys

func newPast(t *testing.T, url string) *past {
	p := &past{t: t}
	run := func(_ context.Context, j *worker.Job[struct{}]) error {
		time.Sleep(5 * time.Millisecond) // the work
		p.mu.Lock()
		defer p.mu.Unlock()
		if j.TaskID == p.lost {
			return errors.New("not yet")
		}
		p.runs = append(p.runs, ranRow{j.TaskID, j.Key, j.Row})
		return nil
	}
	p.opt = fixture.Options{
		Ledger: url, Redis: testenv.StartRedis(t).URL(), Folder: t.TempDir(),
		Kinds: fixture.Kinds(worker.Define("k", run, worker.Shards(2),
			worker.RetryIn(func(int) time.Duration { return time.Hour }))),
	}
	p.begin()
	return p
}

// begin starts the service as a new process.
func (p *past) begin() {
	p.t.Helper()
	p.svc = fixture.New(p.t, p.opt)
	node, err := p.svc.Start(fixture.NodeOptions{
		Feeder:   feed.Options{LeaseGrace: time.Second, Window: 200, MinWindow: 40, Chunk: 40},
		Server:   queue.ServerOptions{Lease: time.Second, Concurrency: 4},
		Recorder: middleware.Options{WorkingAfter: 10 * time.Millisecond},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.node = node
	p.t.Cleanup(node.Stop)
}

// task adds a task of n rows.
func (p *past) task(n int) *tasks.Task {
	p.t.Helper()
	rows := make([]events.Draft, n)
	for i := range rows {
		rows[i] = events.Draft{Row: i + 1, Key: fmt.Sprint("K", i%pastKeys), Params: []byte("{}")}
	}
	return p.svc.Add(p.t, "k", rows...)
}

// ended waits until n rows of a task have ended.
func (p *past) ended(task *tasks.Task, n int64) {
	p.t.Helper()
	var got *tasks.Task
	defer func() {
		if p.t.Failed() {
			p.t.Logf("the task is %s, %+v", got.Status, got.Counts)
		}
	}()
	fixture.Eventually(p.t, fmt.Sprintf("%d rows are at rest", n), func() bool {
		got = p.svc.Task(p.t, task)
		return got.Finish >= n
	})
}

// inOrder checks that each row of the tasks has run, and that the last runs of the rows of each key
// were in order.
func (p *past) inOrder(list ...*tasks.Task) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	last := map[ranRow]int{}
	for at, run := range p.runs {
		last[run] = at
	}
	before := map[string]int{}
	wrong := 0
	for _, task := range list {
		for row := 1; row <= int(p.svc.Task(p.t, task).Total); row++ {
			key := fmt.Sprint("K", (row-1)%pastKeys)
			at, ran := last[ranRow{task.ID, key, row}]
			if !ran || at < before[key] {
				wrong++
			}
			before[key] = max(before[key], at)
		}
	}
	if wrong > 0 {
		p.t.Errorf("%d rows have not run, or last before an older row of their key", wrong)
	}
}

// sound runs verify on the ledger and Redis.
func (p *past) sound() {
	p.t.Helper()
	v, err := reconcile.NewVerifier(p.svc.Tasks, p.svc.Events, p.svc.Queue, p.svc.Kinds, reconcile.VerifyOptions{
		OnDifference: func(d reconcile.Difference) { p.t.Errorf("task %s: %s", d.Task, d.What) },
	}).Run(p.t.Context())
	if err != nil || !v.OK() || v.NoRedis {
		p.t.Errorf("verify: %+v, %v", v, err)
	}
}

// TestSetBack_InTheMiddleOfATask_AllEndsInOrder sets the ledger back to a moment before some
// commits. A task is lost with them, and the next task gets its number. No sweeper runs.
func TestSetBack_InTheMiddleOfATask_AllEndsInOrder(t *testing.T) {
	t.Parallel()
	for _, emptied := range []bool{false, true} {
		for _, restarted := range []bool{false, true} {
			if restarted != emptied && !testenv.All {
				continue
			}
			t.Run(fmt.Sprintf("emptied %v restarted %v", emptied, restarted), func(t *testing.T) {
				run := ledgers.Each[*testing.T]
				if !emptied && !restarted {
					run = ledgers.ByTier[*testing.T]
				}
				run(t, func(t *testing.T, url string) { setsBack(t, url, emptied, restarted) })
			})
		}
	}
}

func setsBack(t *testing.T, url string, emptied, restarted bool) {
	p := newPast(t, url)
	a := p.task(240)
	p.ended(a, 60)
	moment := ledgers.Remember(t, url)
	lost := p.task(40)
	p.ended(a, 140)
	if restarted {
		p.node.Stop()
	}
	moment.SetBack()
	if emptied {
		if err := p.svc.Redis.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if restarted {
		p.begin()
	}
	b := p.task(40)
	if b.Num != lost.Num {
		t.Errorf("the next task has number %d, want %d, which was lost", b.Num, lost.Num)
	}
	p.ended(a, 240)
	p.ended(b, 40)
	p.sound()
	p.inOrder(a, b)
}

// TestSetBack_KeysWaitForRetriesOfALostTask_NextTaskRuns loses a task whose rows wait an hour for
// their retries. Redis keeps its data.
func TestSetBack_KeysWaitForRetriesOfALostTask_NextTaskRuns(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		p := newPast(t, url)
		moment := ledgers.Remember(t, url)
		p.mu.Lock()
		lost := p.task(pastKeys)
		p.lost = lost.ID
		p.mu.Unlock()
		fixture.Eventually(t, "the rows wait for their retries", func() bool {
			return p.svc.Task(t, lost).Retrying == pastKeys
		})
		moment.SetBack()
		p.ended(p.task(pastKeys), pastKeys)
		p.sound()
	})
}

// TestCancel_LedgerSetBack_RowsAreCanceledAgain sets the ledger back to a moment before the
// cancellation of rows that were never fed, while the canceler continues.
func TestCancel_LedgerSetBack_RowsAreCanceledAgain(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(250)
		f.feed()
		f.cancel(task)
		moment, c := ledgers.Remember(f.t, f.Options.Ledger), f.canceler()
		f.cancels(c)
		moment.SetBack()
		if err := f.DB.Write.Exec("UPDATE rollcall.ledger SET note = 'another' WHERE name = 'redis'").Error; err != nil {
			f.t.Fatal(err)
		}
		for range 3 {
			f.cancels(c)
			f.now = f.now.Add(time.Minute)
		}
		f.is(task, tasks.Canceled, 250)
	})
}

// TestWitness_WithoutACommitForAWeek_IsDropped has Redis and the ledger hold the counts of a
// process that ended long ago.
func TestWitness_WithoutACommitForAWeek_IsDropped(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.task(10)
		f.feed()
		before, _, _ := strings.Cut(f.mark(), "@")
		name, at := ledger.WitnessPrefix+before+":gone", time.Now().Add(-8*24*time.Hour).UnixMilli()
		if err := f.DB.Write.Exec("INSERT INTO rollcall.ledger VALUES (?, 5, ?)", name, fmt.Sprint(at)).Error; err != nil {
			f.t.Fatal(err)
		}
		for what, n := range map[string]int64{name: 5, ledger.WitnessPrefix + "past:gone": 7} {
			if err := f.Queue.SetNote(f.t.Context(), what, n); err != nil {
				f.t.Fatal(err)
			}
		}
		f.task(10)
		f.feed()
		notes, err := f.Queue.Notes(f.t.Context())
		if err != nil || len(notes) == 0 {
			f.t.Errorf("notes %v, %v", notes, err)
		}
		for what := range notes {
			if strings.HasSuffix(what, ":gone") {
				f.t.Errorf("%s is noted still", what)
			}
		}
		list, err := lanes.New(f.Tasks).Witnesses(f.t.Context())
		if err != nil || slices.ContainsFunc(list, func(w lanes.Witnessed) bool { return w.Name == name }) {
			f.t.Errorf("witnesses %v, %v", list, err)
		}
		if after, _, _ := strings.Cut(f.mark(), "@"); after != before {
			f.t.Error("the ledger was taken for one that was set back")
		}
	})
}
