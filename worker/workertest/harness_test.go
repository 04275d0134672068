package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// sale is a row of the shop's list.
type sale struct {
	SKU  string `row:"SKU" key:"true" validate:"required,max=8"`
	Note string `row:"Note"`
}

// shop holds what the handlers change.
type shop struct {
	mu      sync.Mutex
	sold    []string
	entered chan struct{}
}

func (s *shop) sell(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sold = append(s.sold, what)
}

func (s *shop) list() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sold)
}

// kind is a kind whose handler does what the note of a row says.
func (s *shop) kind(opts ...worker.Option) *worker.Definition[sale] {
	return worker.Define("sales.import", func(ctx context.Context, job *worker.Job[sale]) error {
		switch a := job.Args; {
		case a.Note == "unknown":
			return worker.Fail("SKU_UNKNOWN", "%s is not in the shop", a.SKU).Column("SKU").Value(a.SKU)
		case a.Note == "flaky" && job.Attempt == 1:
			return errors.New("the shop does not answer")
		case a.Note == "hang" && job.Attempt == 1:
			s.sell(a.SKU)
			close(s.entered)
			<-ctx.Done()
			return nil // the result of this run is lost
		}
		s.sell(job.Args.SKU)
		return job.Result(job.Attempt)
	}, append([]worker.Option{worker.RetryIn(func(int) time.Duration { return time.Minute })}, opts...)...)
}

// TestTheWholeWay has a row with each outcome, from a file to its end, and moves the clock to the
// retry.
func TestTheWholeWay(t *testing.T) {
	t.Parallel()
	s := &shop{}
	h := workertest.New(t, worker.NewRegistry(s.kind()))
	task := h.ImportText("sales.import", "SKU,Note\nA1,\nA2,unknown\nA3,flaky\n,nameless\nA1,\n")
	task.RequireCounts(worker.Counts{Finish: 2, Failed: 2, Enqueue: 1, Retrying: 1})
	h.Advance(time.Minute)
	if st := task.Wait(); st != tasks.FinishedWithFailures {
		t.Errorf("status = %s", st)
	}
	rows := task.Rows()
	if r := rows[1]; r.Code != "SKU_UNKNOWN" || r.Column != "SKU" || r.Value != "A2" || r.Row != 3 {
		t.Errorf("row = %+v", r)
	}
	if r := rows[2]; r.Status != "finish" || r.Attempt != 2 || string(r.Result) != "2" {
		t.Errorf("row = %+v", r)
	}
	h.CheckOrder()

	h.Redeliver()
	if n := len(s.list()); n != 6 {
		t.Errorf("sold %d times, want 3 and 3 again: %v", n, s.list())
	}
	task.RequireCounts(worker.Counts{Finish: 3, Failed: 2})
	h.CheckOrder()
}

// TestAWorkerDiesInTheMiddle crashes a worker during a job. The effects of the run stay, and its
// outcome is lost. Another worker runs the job again, before the next row of the key.
func TestAWorkerDiesInTheMiddle(t *testing.T) {
	t.Parallel()
	s := &shop{entered: make(chan struct{})}
	sell := s.kind(worker.Shards(1))
	h := workertest.New(t, worker.NewRegistry(sell))
	task := h.ImportText("sales.import", "SKU,Note\nA1,hang\nA1,\n")
	<-s.entered
	h.Crash()
	task.RequireCounts(worker.Counts{Finish: 2})
	h.CheckOrder()
	if got := s.list(); !slices.Equal(got, []string{"A1", "A1", "A1"}) {
		t.Errorf("sold %v: once by each worker, and the row behind", got)
	}
	if r := task.Rows()[0]; r.Attempt != 2 {
		t.Errorf("attempt = %d, want 2", r.Attempt)
	}
	if list := h.Tasks("sales.import"); len(list) != 1 || list[0].ID != task.ID {
		t.Errorf("tasks = %v", list)
	}
	later := workertest.Enqueue(h, sell, sale{SKU: "B1"}, worker.Delay(time.Hour))
	later.RequireCounts(worker.Counts{Enqueue: 1})
	h.Advance(time.Hour)
	later.RequireCounts(worker.Counts{Finish: 1})
}

// fake is a test that records its failures.
type fake struct {
	testing.TB
	failures []string
}

func (f *fake) Helper() {}

func (f *fake) Errorf(format string, args ...any) {
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}

func (f *fake) Fatalf(format string, args ...any) { f.Errorf(format, args...); panic(f) }

// failureOf returns the failure of a check.
func failureOf(t *testing.T, check func(t testing.TB)) string {
	f := &fake{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(f) {
				panic(p)
			}
		}()
		check(f)
	}()
	return strings.Join(f.failures, "\n")
}

// TestOneJob runs jobs with each outcome, and makes wrong assertions about each.
func TestOneJob(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	kind := worker.Define("k", func(ctx context.Context, job *worker.Job[sale]) error {
		job.Progress(1, 2, "half")
		job.Note("seen", "attempt", job.Attempt)
		switch job.Args.Note {
		case "fail":
			return worker.Fails(worker.Fail("A", "a").Column("SKU"), worker.Fail("B", "b").Column("Note"))
		case "panic":
			panic("ouch")
		case "dead":
			return worker.NoRetry(boom)
		case "classified":
			return boom
		}
		return errors.Join(job.Result("sold"), worker.Save(ctx, job, 7))
	}, worker.Classify(func(err error) error {
		if errors.Is(err, boom) {
			return worker.Snooze(time.Minute)
		}
		return err
	}))
	run := func(t testing.TB, note string) *workertest.Outcome { return workertest.Run(t, kind, sale{"a", note}) }
	out := run(t, "")
	out.RequireFinished()
	if string(out.Result) != `"sold"` || string(out.Saved) != "7" || len(out.Progress) != 1 || out.Notes[0] != "seen attempt=1" {
		t.Errorf("outcome = %+v", out)
	}
	run(t, "fail").RequireFailed("A", "SKU")
	run(t, "fail").RequireFailed("B", "Note")
	workertest.Run(t, kind, sale{}).RequireFailed("REQUIRED", "SKU")
	run(t, "panic").RequireError("panic: ouch")
	run(t, "dead").RequireError("boom")
	slow := worker.Define("slow", func(ctx context.Context, _ *worker.Job[sale]) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}, worker.Timeout(50*time.Millisecond))
	workertest.Run(t, slow, sale{"a", ""}).RequireError("longer than 50ms")
	run(t, "classified").RequireSnoozed()
	for want, wrong := range map[string]func(t testing.TB){
		"panic: ouch":                   func(t testing.TB) { run(t, "panic").RequireFinished() },
		"C":                             func(t testing.TB) { run(t, "fail").RequireFailed("C") },
		"column Note: failed":           func(t testing.TB) { run(t, "fail").RequireFailed("A", "Note") },
		"did not end in a system fault": func(t testing.TB) { run(t, "").RequireError() },
		`not contain "fire"`:            func(t testing.TB) { run(t, "panic").RequireError("fire") },
		"not snoozed: finish":           func(t testing.TB) { run(t, "").RequireSnoozed() },
		"not fail with A: fi":           func(t testing.TB) { run(t, "").RequireFailed("A") },
	} {
		if got := failureOf(t, wrong); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestAHandlerThatIsNotIdempotent: the check fails for it, and passes for an idempotent one.
func TestAHandlerThatIsNotIdempotent(t *testing.T) {
	t.Parallel()
	total, seen := 0, map[string]bool{}
	adds := worker.Define("adds", func(context.Context, *worker.Job[sale]) error { total++; return nil })
	once := worker.Define("once", func(_ context.Context, job *worker.Job[sale]) error { seen[job.ID] = true; return nil })
	turns := worker.Define("turns", func(_ context.Context, job *worker.Job[sale]) error {
		if job.Attempt > 1 {
			return errors.New("is there already")
		}
		return nil
	})
	a := sale{SKU: "a"}
	if got := failureOf(t, func(t testing.TB) {
		workertest.CheckIdempotent(t, adds, a, func() any { return total })
	}); !strings.Contains(got, "changed the effect") {
		t.Errorf("got %q", got)
	}
	if got := failureOf(t, func(t testing.TB) {
		workertest.CheckIdempotent(t, turns, a, func() any { return nil })
	}); !strings.Contains(got, "is there already") {
		t.Errorf("got %q", got)
	}
	workertest.CheckIdempotent(t, once, a, func() any { return len(seen) }).RequireFinished()
}
