package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// chain is a random batch of jobs. Its slices have one element for each job.
type chain struct {
	keys   []string // "a" or "b"; the jobs of a key follow one another
	ends   []string // "finish", "failed", "retry", "dead", "snooze", or "by" if a newer job supersedes it
	newer  []int    // index of the job that supersedes it; -1 if none does
	latest bool     // the kind has Latest
}

var errChain = errors.New("boom")

func drawChain(t *rapid.T) chain {
	n := rapid.IntRange(1, 7).Draw(t, "jobs")
	c := chain{newer: make([]int, n), latest: rapid.Bool().Draw(t, "latest")}
	ofA := rapid.IntRange(0, n).Draw(t, "jobs of a")
	for i := range n {
		c.keys = append(c.keys, map[bool]string{true: "a", false: "b"}[i < ofA])
		c.ends = append(c.ends, rapid.SampledFrom([]string{
			"finish", "failed", "retry", "dead", "snooze", "by", "by",
		}).Draw(t, "end"))
		c.newer[i] = -1
	}
	for i := range n {
		c.supersede(t, i)
	}
	return c
}

// supersede picks the job that supersedes job i. With Latest this is the last job of the key, otherwise
// any later job of the key.
func (c *chain) supersede(t *rapid.T, i int) {
	var later []int
	for j := i + 1; j < len(c.keys); j++ {
		if c.keys[j] == c.keys[i] {
			later = append(later, j)
		}
	}
	switch {
	case len(later) == 0 && c.ends[i] == "by":
		c.ends[i] = "finish"
	case len(later) > 0 && c.latest:
		c.ends[i], c.newer[i] = "by", later[len(later)-1]
	case c.ends[i] == "by":
		c.newer[i] = rapid.SampledFrom(later).Draw(t, "newer")
	}
}

// kind returns a kind whose handler gives each job the outcome that the chain has for it.
func (c *chain) kind() jobs.Kind {
	var opts []worker.Option
	if c.latest {
		opts = append(opts, worker.Latest())
	}
	return batch(func(all byRow) error {
		for i := range c.keys {
			j := all[fmt.Sprint(i+1)]
			if j == nil {
				continue // with Latest the handler gets only the newest job
			}
			if c.ends[i] == "by" {
				j.Superseded(all[fmt.Sprint(c.newer[i]+1)])
				continue
			}
			j.Resolve(map[string]error{
				"failed": worker.Fail("NO", "no"), "retry": errChain, "dead": worker.NoRetry(errChain),
				"snooze": worker.Snooze(time.Hour),
			}[c.ends[i]])
		}
		return nil
	}, opts...)
}

// TestOrder_RandomChains_EndInTheOrderOfTheirKeys runs random batches with snoozes, retries, faults
// and superseded jobs, and compares the outcomes in the queue with the rules.
func TestOrder_RandomChains_EndInTheOrderOfTheirKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		c := drawChain(rt)
		var list []*queue.Delivery
		for i, key := range c.keys {
			list = append(list, of(key, delivery(int64(i+1), 0)))
		}
		begun := time.Now()
		got := handle(t, newBook(), c.kind(), list...)
		for _, key := range []string{"a", "b"} {
			c.check(rt, key, got, list, begun)
		}
	})
}

func (c *chain) check(t *rapid.T, key string, got []queue.Kind, list []*queue.Delivery, begun time.Time) {
	open, kept := -1, false // the first job that does not end; whether an earlier job stays in the queue
	for i := range c.keys {
		if c.keys[i] != key {
			continue
		}
		ended := got[i] == queue.Done || got[i] == queue.Dead
		if ended && kept {
			t.Fatalf("%+v: job %d ends behind one that runs again: %v", c, i, got)
		}
		kept = kept || !ended
		if c.ends[i] == "by" {
			newer := got[c.newer[i]]
			if ended && newer != queue.Done && newer != queue.Dead {
				t.Fatalf("%+v: job %d ends before the job that supersedes it: %v", c, i, got)
			}
			continue
		}
		if open < 0 && (c.ends[i] == "retry" || c.ends[i] == "snooze") {
			open = i
		}
	}
	switch {
	case open < 0 && kept:
		t.Fatalf("%+v: all jobs of %s end by themselves: %v", c, key, got)
	case open >= 0:
		o, _ := list[open].Outcome()
		want, pause := queue.Retry, time.Minute
		if c.ends[open] == "snooze" {
			want, pause = queue.Return, time.Hour
		}
		if o.Kind != want || o.At.Before(begun.Add(pause)) {
			t.Fatalf("%+v: job %d has outcome %+v", c, open, o)
		}
	}
}

// TestLatest_NewestSnoozes_KeepsItsDelay runs on a real queue.
func TestLatest_NewestSnoozes_KeepsItsDelay(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "a", "a")
		var runs []time.Time // one goroutine at a time appends, since there is one shard
		r.start(worker.Define("k", func(context.Context, *worker.Job[none]) error {
			if runs = append(runs, time.Now()); len(runs) < 4 {
				return worker.Snooze(300 * time.Millisecond)
			}
			return nil
		}, worker.Latest(), worker.Shards(1)))
		if now := r.await(task); now.Finish != 3 || len(runs) != 4 {
			r.t.Errorf("finish %d in %d runs, want 3 in 4", now.Finish, len(runs))
		}
		for i := 1; i < len(runs); i++ {
			if pause := runs[i].Sub(runs[i-1]); pause < 290*time.Millisecond {
				r.t.Errorf("run %d came after %v", i+1, pause)
			}
		}
	})
}

// TestSuperseded_NewerIsCanceled_EndsCanceled runs a chain whose middle job is retried, and cancels
// the task.
func TestSuperseded_NewerIsCanceled_EndsCanceled(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a", "a", "a")
		ran := make(chan struct{}, 100)
		n := r.start(worker.DefineBatch("k", func(_ context.Context, b *worker.Batch[none]) error {
			for _, list := range b.Keys() {
				list[0].Superseded(list[2])
				list[1].Resolve(errChain)
			}
			ran <- struct{}{}
			return nil
		}, worker.RetryIn(func(int) time.Duration { return time.Hour }), worker.Shards(1)))
		<-ran
		eventually(r.t, func() bool { return r.event(task, 2).Attempt == 1 })
		r.cancel(task)
		r.canceler(n)
		if now := r.await(task); now.Canceled != 3 {
			r.t.Errorf("counts %+v, want 3 canceled", now.Counts)
		}
	})
}

// TestUntracked_LatestKeepsFailing_UsesItsRetries counts attempts of the newest job of a key whose
// oldest payload is superseded.
func TestUntracked_LatestKeepsFailing_UsesItsRetries(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	runs := 0 // needs no lock, since there is one shard
	k := worker.Define("k", func(context.Context, *worker.Job[struct{ N int }]) error {
		runs++
		return errChain
	}, worker.Latest(), worker.Track(false), worker.Shards(1), worker.MaxRetries(2),
		worker.RetryIn(func(int) time.Duration { return 10 * time.Millisecond }))
	n := r.start(k)
	var list []queue.Job
	for i := range 3 {
		list = append(list, queue.Job{Queue: "k", Key: "acme/a", Score: float64(i), Payload: fmt.Appendf(nil, `{"N":%d}`, i)})
	}
	if err := n.Queue.Push(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		st, err := n.Queue.Stats(t.Context(), "k")
		return err == nil && st.Length+st.Busy == 0 && st.MorgueLength == 1
	})
	if runs != 3 {
		t.Errorf("%d runs, want 3", runs)
	}
}

// TestHotLoop_KeyWithoutProgress_IsBackedOff runs a job that always returns at once.
func TestHotLoop_KeyWithoutProgress_IsBackedOff(t *testing.T) {
	t.Parallel()
	b, runs := newBook(), 0
	k := jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[none]) error {
		runs++
		return worker.Snooze(0)
	}))
	rec := middleware.NewRecorder(b, middleware.Options{WorkingAfter: time.Hour})
	rec.Start()
	defer rec.Stop(10 * time.Second)
	w := middleware.Track(k, rec)
	for i := range 10 {
		d, begun := delivery(1, 0), time.Now()
		if err := w.Handle(t.Context(), &queue.Batch{Queue: "k", Deliveries: []*queue.Delivery{d}}); err != nil {
			t.Fatal(err)
		}
		o, _ := d.Outcome()
		late, due := o.At.After(begun.Add(500*time.Millisecond)), !o.At.After(time.Now())
		if i < 9 && !due || i == 9 && !late {
			t.Errorf("turn %d runs again at %v", i+1, o.At)
		}
	}
}
