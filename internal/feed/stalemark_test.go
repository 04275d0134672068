package feed_test

import "github.com/rollcall-dev/rollcall/internal/feed"

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestFeed_AnotherFeederSetsANewMark_OldOneClaimsNothing empties Redis while a feeder is in the
// middle of its poll. Another feeder pushes all rows again and dies. The first feeder has only the
// old mark, and must not push under it. Workers would drop such jobs, and the sweeper would push
// them behind later rows of their keys.
func TestFeed_AnotherFeederSetsANewMark_OldOneClaimsNothing(t *testing.T) {
	onBoth(t, func(f *farm) {
		keys := make([]string, 30)
		for i := range keys {
			keys[i] = fmt.Sprint(i)
		}
		f.rowsOfKeys(keys...)
		f.AddOf(f.t, "globex", "k", drafts(keys)...)
		f.feed()
		f.rowsOfKeys("new")
		f.AddOf(f.t, "globex", "k", drafts([]string{"new"})...)
		emptied := false
		opt := feed.Options{Window: 100, MinWindow: 100, Chunk: 50}
		opt.OnPush = func(feed.Pushed) {
			if emptied {
				return
			}
			emptied = true
			f.fine(f.Redis.FlushAll(f.t.Context()).Err())
			f.now = f.now.Add(time.Minute)
			ctx, die := context.WithCancel(f.t.Context())
			other := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
				Window: 100, MinWindow: 100, Chunk: 50, OnPush: func(feed.Pushed) { die() },
			})
			_ = other.Feed(ctx) // the feeder stops after its first push
		}
		_ = feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, opt).Feed(f.t.Context())
		f.now = f.now.Add(time.Minute)
		r := ran{strict: true}
		defer f.work(&r, 0)()
		f.drain("rows of both tenants", func(int) { f.now = f.now.Add(time.Second) })
		if n := r.ordered(f.t); n != 62 {
			f.t.Errorf("%d rows ran, want 62", n)
		}
	})
}
