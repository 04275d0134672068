package feed_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// These are the environment variables of a worker process that dies.
const (
	envCrashLedger = "DISPATCH_CRASH_LEDGER"
	envCrashRedis  = "DISPATCH_CRASH_REDIS"
	envCrashDeaf   = "DISPATCH_CRASH_DEAF" // the process dies after it has moved the row to the morgue
)

func TestMain(m *testing.M) {
	if url := os.Getenv(envCrashLedger); url != "" {
		crash(url, os.Getenv(envCrashRedis))
	}
	_ = flag.Set("rapid.checks", checks()) // the command line overrides it
	testenv.Main(m, testenv.Size(8, 5))    // the race detector leaves less time
}

// checks returns the number of trials of a random test. With the race detector a trial takes
// several times as long, so `make test-all` runs fewer trials than `make test`.
func checks() string {
	switch {
	case testenv.Chaos:
		return "30"
	case testenv.Race:
		return "3"
	}
	return "8"
}

// die ends the process with SIGKILL.
func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// deaf is a ledger whose process dies before the ledger records the move to the morgue.
type deaf struct{ *events.Store }

func (deaf) States(context.Context, []events.ID) (map[events.ID]events.State, error) {
	die()
	return nil, nil
}

// crash is the main function of a worker process. Its only row kills the process. A later process
// is killed when it has moved the row to the morgue and looks it up in the ledger.
func crash(url, address string) {
	ctx := context.Background()
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		panic(err)
	}
	kinds := jobs.RegistryOf(worker.NewRegistry(worker.Define("k",
		func(context.Context, *worker.Job[struct{}]) error { die(); return nil }, worker.Shards(1))))
	kind, _ := kinds.Kind("k")
	es := events.New(db, events.Options{})
	var recorded middleware.Ledger = es
	if os.Getenv(envCrashDeaf) != "" {
		recorded = deaf{es}
	}
	rec := middleware.NewRecorder(recorded, middleware.Options{})
	track := middleware.Track(kind, rec)
	track.MaxCrashes = 1
	rec.Start()
	rdb := redis.NewClient(&redis.Options{Addr: address, ContextTimeoutEnabled: true})
	server := queue.NewServer(rdb, queue.ServerOptions{Lease: time.Second, Epoch: db.NextEpoch}, track)
	if err := server.Start(ctx); err != nil {
		panic(err)
	}
	select {}
}

// TestKilledBetweenMorgueAndLedger: a row that kills its process is moved to the morgue, and the
// process that moved it dies before the ledger records it.
func TestKilledBetweenMorgueAndLedger(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(1)
		f.feed()
		env := []string{envCrashLedger + "=" + f.Options.Ledger, envCrashRedis + "=" + f.Redis.Options().Addr}
		path, err := filepath.Abs(os.Args[0])
		f.fine(err)
		for range 2 { // a normal run, and a run as a suspect
			testenv.StartProcess(t, path, env).Wait()
		}
		testenv.StartProcess(t, path, append(env, envCrashDeaf+"=1")).Wait()
		place, err := f.Queue.Admin().Locate(t.Context(), "k", f.ref(task.Num, 1))
		f.fine(err)
		e, err := f.Events.Get(t.Context(), events.NewID(task.Num, 1))
		if err != nil || e.Status.AtRest() || place[0].Dead != 1 {
			t.Fatalf("the moment was missed: %+v, %+v, %v", e, place, err)
		}
		f.swept("it is in the morgue", reconcile.Repairs{Ended: 1})
		got, err := f.Tasks.Get(t.Context(), "acme", task.ID)
		if err != nil || !got.Status.Done() || got.Error != 1 {
			t.Errorf("the task: %+v, %v", got, err)
		}
		f.silent("at the end")
	})
}
