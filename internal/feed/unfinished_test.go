package feed_test

import (
	"context"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/queue"
)

// dies makes a feeder detect that Redis lost writes. It ends the feeder after the feeder has
// changed the mark in the ledger, and before the feeder sets the mark in Redis.
func (f *farm) dies() {
	f.t.Helper()
	f.now = f.now.Add(2 * time.Hour)
	before := f.mark()
	feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{LeaseGrace: time.Hour})
	ctx, die := context.WithCancel(f.t.Context())
	ended := make(chan error)
	go func() {
		err := feeder.Feed(ctx)
		for err == nil && f.mark() == before {
			feeder.LostWrites()
			err = feeder.Feed(ctx)
		}
		ended <- err
	}()
	fixture.Eventually(f.t, "the mark of the ledger is another", func() bool { return f.mark() != before })
	die()
	if err := <-ended; err == nil {
		f.t.Fatal("the feeder set the mark in Redis")
	}
}

// TestLostWrites_FeedersDieBeforeTheMarkIsInRedis_IsNoLedgerThatWasSetBack has two feeders die one
// after the other. The era stays the same, and a key that waits for its time keeps waiting.
func TestLostWrites_FeedersDieBeforeTheMarkIsInRedis_IsNoLedgerThatWasSetBack(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.task(30)
		f.feed()
		later := queue.Job{Queue: "k", Key: "later", Payload: []byte("x"), RunAt: time.Now().Add(time.Hour)}
		if err := f.Queue.Push(f.t.Context(), later); err != nil {
			f.t.Fatal(err)
		}
		before := f.mark()
		f.dies()
		f.dies()
		f.now = f.now.Add(2 * time.Hour)
		f.feed()
		after := f.mark()
		if ledger.Era(after) != ledger.Era(before) || after == before {
			f.t.Errorf("mark %s after %s, want another of the same era", after, before)
		}
		list, err := f.Queue.Admin().KeySummaries(f.t.Context(), "k", "later")
		if err != nil || !list[0].Later {
			f.t.Errorf("the key that waited stands %+v, %v", list, err)
		}
	})
}
