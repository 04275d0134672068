package feed_test

import (
	"testing"
	"time"
)

// TestLostWrites_OfTheSameProcess_AreFedAgain deletes the keys of the queue. The mark of Redis and
// its run ID stay.
func TestLostWrites_OfTheSameProcess_AreFedAgain(t *testing.T) {
	on(t, func(f *farm) {
		f.task(30)
		feeder := f.feeder()
		feeds := func() {
			if err := feeder.Feed(f.t.Context()); err != nil {
				f.t.Fatal(err)
			}
		}
		feeds()
		before := f.mark()
		keys := f.Redis.Keys(f.t.Context(), "*{k:*").Val()
		if err := f.Redis.Del(f.t.Context(), keys...).Err(); err != nil {
			f.t.Fatal(err)
		}
		f.now = f.now.Add(time.Minute)
		feeder.LostWrites()
		feeds()
		after := f.mark()
		if after == before {
			f.t.Error("the mark of the Redis that lost writes stands")
		}
		if n := f.feed(); n != 30 {
			f.t.Errorf("%d keys in Redis, want 30", n)
		}
		if feeds(); f.mark() != after {
			f.t.Error("a loss has been fed again twice")
		}
	})
}
