package middleware_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/worker"
)

// These are the environment variables of a process that is to die in the middle of a job.
const (
	envLedger = "MIDDLEWARE_TEST_LEDGER"
	envRedis  = "MIDDLEWARE_TEST_REDIS"
	envPrefix = "MIDDLEWARE_TEST_PREFIX"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(envLimit); role != "" {
		if err := limitedProcess(role); err != nil && !errors.Is(err, io.EOF) {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(0)
	}
	if os.Getenv(envLedger) != "" {
		fmt.Fprintln(os.Stderr, dieAtPage3())
		os.Exit(1)
	}
	checks := testenv.Size("4", "10")
	_ = flag.Set("rapid.checks", checks) // the command line overrides it
	testenv.Main(m, 8)
}

// pages returns a kind whose job reads 5 pages and saves its position. The job reports at which page it
// began.
func pages(began chan<- int, at func(page int)) worker.Definer {
	return worker.Define("k", func(ctx context.Context, job *worker.Job[none]) error {
		page, _ := worker.Checkpoint[int](job)
		began <- page
		for ; page < 5; page++ {
			at(page)
			if err := worker.Save(ctx, job, page+1); err != nil {
				return err
			}
		}
		return nil
	}, worker.RetryIn(func(int) time.Duration { return 0 }))
}

// dieAtPage3 is the main function of the process that dies.
func dieAtPage3() error {
	ctx := context.Background()
	service, err := fixture.Open(ctx, fixture.Options{
		Ledger: os.Getenv(envLedger), Redis: os.Getenv(envRedis), Prefix: os.Getenv(envPrefix), Folder: os.TempDir(),
	})
	if err != nil {
		return err
	}
	kind := pages(make(chan int, 1), func(page int) {
		if page == 3 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	if _, err := startNode(service, 3*time.Second, kind); err != nil {
		return err
	}
	<-time.After(time.Minute) // the process is killed before
	return errors.New("the job did not run")
}

// TestACheckpointSurvivesKill9 kills the process at the fourth page.
func TestACheckpointSurvivesKill9(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "a")
		cmd := exec.CommandContext(r.t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), envLedger+"="+r.Options.Ledger, envRedis+"="+testenv.Redis(r.t), envPrefix+"="+r.Options.Prefix)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			r.t.Fatalf("the process ended with %v: %s", err, out)
		}
		began := make(chan int, 10)
		r.start(pages(began, func(int) {}))
		if now := r.await(task); now.Finish != 1 || len(began) != 1 {
			r.t.Errorf("finish %d in %d runs, want 1 in 1", now.Finish, len(began))
		}
		if page := <-began; page != 3 {
			r.t.Errorf("it went on at page %d, want 3", page)
		}
		if n := r.checkpoints(); n != 0 {
			r.t.Errorf("%d checkpoints are left", n)
		}
	})
}

func (r *rig) checkpoints() (n int64) {
	r.t.Helper()
	if err := r.DB.Read.Raw("SELECT count(*) FROM rollcall.checkpoints").Scan(&n).Error; err != nil {
		r.t.Fatal(err)
	}
	return n
}

// TestACheckpointSurvivesAFault fails a job twice. The other job of the task still runs when the
// checkpoint of the first is deleted.
func TestACheckpointSurvivesAFault(t *testing.T) {
	on(t, func(r *rig) {
		task, letGo := r.task("k", "a", "b"), make(chan struct{})
		began, tries := make(chan int, 10), 0
		r.start(worker.Define("k", func(ctx context.Context, job *worker.Job[none]) error {
			if job.Key == "b" {
				<-letGo
				return nil
			}
			page, _ := worker.Checkpoint[int](job)
			began <- page
			if tries++; tries > 2 {
				return nil
			}
			if err := worker.Save(ctx, job, tries*10); err != nil {
				return err
			}
			return errors.New("boom")
		}, worker.RetryIn(func(int) time.Duration { return 0 })))
		for _, want := range []int{0, 10, 20} {
			if page := <-began; page != want {
				r.t.Errorf("it went on at %d, want %d", page, want)
			}
		}
		eventually(r.t, func() bool { return r.event(task, 1).Status == events.Finish })
		if n := r.checkpoints(); n != 0 {
			r.t.Errorf("%d checkpoints are left of a job at rest", n)
		}
		close(letGo)
		r.await(task)
	})
}

// TestAZombieSavesNothing saves checkpoints of a run whose job another run has taken over.
func TestAZombieSavesNothing(t *testing.T) {
	on(t, func(r *rig) {
		ctx, task := r.t.Context(), r.task("k", "a")
		id := events.NewID(task.Num, 1)
		old := events.Run{ID: id, Attempt: 1, Token: 7, Seq: 9}
		heir := events.Run{ID: id, Attempt: 1, Token: 8, Seq: 1}
		if _, err := r.Events.SaveCheckpoint(ctx, old, []byte("1")); err != nil {
			r.t.Fatal(err)
		}
		if kept, err := r.Events.SaveCheckpoint(ctx, heir, nil); err != nil || string(kept) != "1" {
			r.t.Fatalf("the heir finds %s, %v", kept, err)
		}
		if _, err := r.Events.SaveCheckpoint(ctx, old, []byte("2")); !errors.Is(err, worker.ErrStale) {
			r.t.Errorf("the zombie's save: %v, want ErrStale", err)
		}
		if kept, err := r.Events.SaveCheckpoint(ctx, heir, nil); err != nil || string(kept) != "1" {
			r.t.Errorf("kept %s, %v; want what the heir found", kept, err)
		}
		moves := []events.Move{{ID: id, From: events.Enqueue, To: events.Finish, Attempt: 1, Forget: true}}
		if _, err := r.Events.Record(ctx, moves); err != nil {
			r.t.Fatal(err)
		}
		if _, err := r.Events.SaveCheckpoint(ctx, heir, []byte("3")); !errors.Is(err, worker.ErrStale) {
			r.t.Errorf("a save after the end: %v, want ErrStale", err)
		}
		if n := r.checkpoints(); n != 0 {
			r.t.Errorf("%d checkpoints are left", n)
		}
	})
}

func TestProgressIsShown(t *testing.T) {
	on(t, func(r *rig) {
		one, two, letGo := r.task("k", "a"), r.task("k", "b", "c"), make(chan struct{})
		r.start(worker.Define("k", func(_ context.Context, job *worker.Job[none]) error {
			job.Progress(10, 40, "page %d\x00", 10)
			if job.Key == "a" {
				<-letGo
			}
			job.Progress(39, 40, "page %d", 39)
			return nil
		}))
		eventually(r.t, func() bool {
			now, err := r.Tasks.Get(r.t.Context(), "acme", one.ID)
			return err == nil && now.Progress.Done == 10 && strings.HasPrefix(now.Progress.Text, "page 10")
		})
		close(letGo)
		now := r.await(one)
		if p := now.Progress; p.Done != 39 || p.Total != 40 || p.Text != "page 39" {
			r.t.Errorf("at the end it shows %+v, want the last word", p)
		}
		if p := r.await(two).Progress; p.Done != 0 || p.Text != "" {
			r.t.Errorf("a task of two jobs shows %+v", p)
		}
	})
}

// TestTheLastWordIsWrittenBeforeTheEnd: of many reports of progress, the last one is recorded
// before the end of the job.
func TestTheLastWordIsWrittenBeforeTheEnd(t *testing.T) {
	t.Parallel()
	b := newBook()
	handle(t, b, jobs.KindOf(worker.Define("k", func(_ context.Context, job *worker.Job[none]) error {
		for i := range 1000 {
			job.Progress(int64(i), 1000, "")
		}
		return nil
	})), delivery(1, 0), delivery(2, 0))
	if diff := cmp.Diff([]events.Progress{{Done: 999, Total: 1000}}, b.shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	if len(b.moves) != 2 {
		t.Errorf("%d moves, want 2", len(b.moves))
	}
}
