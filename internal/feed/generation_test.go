package feed_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/queue"
)

// fed returns the mark of a job in Redis, once there is one.
func (f *farm) fed() string {
	f.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		client := queue.NewClient(f.Redis, queue.ClientOptions{Queues: []queue.Spec{{Name: "k", Shards: 1}}})
		if _, err := client.Stats(f.t.Context(), "k"); err != nil { // registers the queue in an emptied Redis
			f.t.Fatal(err)
		}
		page, err := client.Admin().Waiting(f.t.Context(), "k", queue.Query{Limit: 1})
		if err != nil {
			f.t.Fatal(err)
		}
		if len(page.Keys) == 0 {
			continue
		}
		env, err := jobs.Unpack(page.Keys[0].Payloads[0].Payload)
		if err != nil {
			f.t.Fatal(err)
		}
		return env.Mark
	}
	f.t.Fatal("nothing waits in Redis")
	return ""
}

// stands returns what a running feeder answers about a mark.
func (f *farm) stands(feeder *feed.Feeder, mark string) string {
	f.t.Helper()
	ask, gone, err := feeder.CheckGeneration(f.t.Context(), "acme", mark)
	switch {
	case err != nil:
		return "unsure"
	case gone:
		return "gone"
	case ask:
		return "ask"
	}
	return "run"
}

// settles waits until the running feeder gives the wanted answer about a mark. Before that, the
// feeder may have no answer, or answer that the ledger must be read because its last poll is too
// old.
func (f *farm) settles(feeder *feed.Feeder, mark, want string) {
	f.t.Helper()
	fixture.Eventually(f.t, "the feeder answers "+want, func() bool {
		got := f.stands(feeder, mark)
		if got != want && got != "unsure" && got != "ask" {
			f.t.Fatalf("the feeder answers %s, want %s", got, want)
		}
		return got == want
	})
}

func (f *farm) run(feeder *feed.Feeder) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); feeder.Run(ctx) }()
	return func() { cancel(); <-ended }
}

// TestAJobOfTheRedisThatWasFlushedNeverRuns compares the marks of jobs with Redis before and after
// it was emptied, as workers do.
func TestAJobOfTheRedisThatWasFlushedNeverRuns(t *testing.T) {
	on(t, func(f *farm) {
		f.task(90)
		f.feed()
		old := f.fed()
		feeder := f.feeder()
		stop := f.run(feeder)
		fixture.Eventually(f.t, "a job that was just fed runs, one of before a cancel asks", func() bool {
			return f.stands(feeder, old) == "run" && f.stands(feeder, old+".1") == "ask" && f.stands(feeder, old) == "run"
		})
		stop()
		feeder.Invalidate()
		if got := f.stands(feeder, old); got != "unsure" {
			f.t.Errorf("a job while Redis is in doubt and nobody looks: %s, want unsure", got)
		}
		f.now = f.now.Add(time.Minute)
		f.Redis.FlushAll(f.t.Context())
		defer f.run(feeder)()
		f.settles(feeder, old, "gone")
		f.settles(feeder, f.fed(), "run") // the same job, fed again
	})
}

// TestNothingIsFedAgainBeforeLeasesHaveRunOut has a feeder wait for nodes that have not yet found
// that Redis was emptied.
func TestNothingIsFedAgainBeforeLeasesHaveRunOut(t *testing.T) {
	on(t, func(f *farm) {
		f.task(90)
		f.feed()
		f.now = f.now.Add(time.Minute)
		f.Redis.FlushAll(f.t.Context())
		begun := time.Now()
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			Window: 100, MinWindow: 100, LeaseGrace: 300 * time.Millisecond,
		})
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		if took := time.Since(begun); took < 300*time.Millisecond {
			f.t.Errorf("fed again after %v", took)
		}
		if st, err := f.Queue.Stats(f.t.Context(), "k"); err != nil || st.Length != 90 {
			f.t.Errorf("%d jobs are fed again, %v", st.Length, err)
		}
	})
}

// TestAFullRedisPutsNoJobInDoubt has Redis refuse every push. The jobs in Redis must run without a
// query to the ledger, otherwise Redis would stay full.
func TestAFullRedisPutsNoJobInDoubt(t *testing.T) {
	on(t, func(f *farm) {
		f.task(150)
		f.feed()
		mark := f.fed()
		f.finish(1, 1, 90) // makes room in the window
		if err := f.Redis.ConfigSet(f.t.Context(), "maxmemory", "1").Err(); err != nil {
			f.t.Fatal(err)
		}
		logged := make(chan struct{})
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			Window: 100, MinWindow: 100, Poll: time.Hour, Log: slog.New(slog.NewTextHandler(once(logged), nil)),
		})
		defer f.run(feeder)()
		<-logged
		f.settles(feeder, mark, "run")
	})
}

// once is a writer that closes its channel at the first write.
type once chan struct{}

func (o once) Write(p []byte) (int, error) {
	select {
	case <-o:
	default:
		close(o)
	}
	return len(p), nil
}
