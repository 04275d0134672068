package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

// losses is the number of answers to COMMIT that a test loses. It loses every second answer, so that
// the attempt after a lost answer succeeds.
var losses = testenv.Size[int64](6, 12)

// onLossy runs a test on a Postgres whose answers to COMMIT are lost after a call of arm.
func onLossy(t *testing.T, story func(r *rig, arm func(), left func() int64)) {
	t.Parallel()
	var armed atomic.Bool
	var commits atomic.Int64
	wire := testenv.NewPostgresWire(t, ledgers.Postgres(t), func(statement string) bool {
		if !armed.Load() || !strings.EqualFold(statement, "commit") {
			return false
		}
		n := commits.Add(1)
		return n%2 == 1 && n <= 2*losses
	})
	story(newRig(t, wire.URL()), func() { armed.Store(true) }, func() int64 { return max(0, 2*losses-commits.Load()) })
}

// runs holds the number of runs of each attempt of a key.
type runs struct {
	sync.Mutex
	of map[string]int
}

// end counts a run of a job with a key of fatesOf, and returns the outcome for this key.
func (c *runs) end(job *worker.Job[none]) error {
	c.Lock()
	c.of[fmt.Sprint(job.Key, " ", job.Attempt)]++
	c.Unlock()
	time.Sleep(4 * time.Millisecond) // slow enough that the jobs need several groups
	switch {
	case strings.HasPrefix(job.Key, "fails"):
		return worker.Fail("SOLD_OUT", "sold out")
	case strings.HasPrefix(job.Key, "retried") && job.Attempt == 1:
		return errors.New("boom")
	}
	return job.Result(job.Key)
}

// again returns the number of attempts that ran more than once.
func (c *runs) again() (n int) {
	c.Lock()
	defer c.Unlock()
	for _, calls := range c.of {
		if calls > 1 {
			n++
		}
	}
	return n
}

// TestGroupTx_AnswerToTheCommitIsLost_EffectsAndOutcomesAreThereOnce: Postgres has committed a group,
// and the connection breaks before the node gets the answer.
func TestGroupTx_AnswerToTheCommitIsLost_EffectsAndOutcomesAreThereOnce(t *testing.T) {
	for name, table := range map[string]string{
		"effects that may be repeated": "CREATE TABLE sales (key text NOT NULL, job text NOT NULL)",
		"effects that conflict":        "CREATE TABLE sales (key text PRIMARY KEY, job text NOT NULL)",
	} {
		t.Run(name, func(t *testing.T) {
			onLossy(t, func(r *rig, arm func(), left func() int64) {
				if err := r.DB.Write.Exec(table).Error; err != nil {
					t.Fatal(err)
				}
				keys, want, sold := fatesOf(80)
				task, calls := r.task("k", keys...), &runs{of: map[string]int{}}
				r.start(selling(func(_ context.Context, _ worker.Tx, job *worker.Job[none]) error {
					arm()
					return calls.end(job)
				}))
				now := r.await(task)
				if got := r.sales(); got != sold {
					t.Errorf("sales of %s\nwant %s", got, sold)
				}
				if diff := cmp.Diff(want, r.fates(now)); diff != "" {
					t.Errorf("rows (-want +got):\n%s", diff)
				}
				if calls.again() == 0 || left() > 0 {
					t.Errorf("%d attempts ran again, %d answers were left: no answer of a group was lost", calls.again(), left())
				}
				r.recounted(task)
			})
		})
	}
}

// TestRecorder_AnswerToTheCommitIsLost_OutcomesAreRecordedOnce: Postgres has committed outcomes of a
// kind without a transaction, and the recorder gets no answer.
func TestRecorder_AnswerToTheCommitIsLost_OutcomesAreRecordedOnce(t *testing.T) {
	onLossy(t, func(r *rig, arm func(), left func() int64) {
		keys, want, _ := fatesOf(200)
		task, calls := r.task("k", keys...), &runs{of: map[string]int{}}
		r.start(worker.Define("k", func(_ context.Context, job *worker.Job[none]) error {
			arm()
			return calls.end(job)
		}, worker.MaxRetries(3), worker.RetryIn(func(int) time.Duration { return 0 })))
		now := r.await(task)
		if diff := cmp.Diff(want, r.fates(now)); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
		if calls.again() > 0 || left() == 2*losses {
			t.Errorf("%d attempts ran again, %d answers were left", calls.again(), left())
		}
		r.recounted(task)
	})
}

// fatesOf returns the keys of n rows, their last statuses and attempts, and the sorted keys of the
// rows that finish.
func fatesOf(n int) (keys, want []string, sold string) {
	var list []string
	for i := range n {
		kind, fate := "plain", "finish 1"
		switch i % 10 {
		case 3:
			kind, fate = "fails", "failed 1"
		case 7:
			kind, fate = "retried", "finish 2"
		}
		key := fmt.Sprintf("%s-%02d", kind, i)
		keys, want = append(keys, key), append(want, fate)
		if kind != "fails" {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return keys, want, strings.Join(list, " ")
}
