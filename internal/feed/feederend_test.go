package feed_test

import "github.com/rollcall-dev/rollcall/internal/feed"

import (
	"context"
	"log/slog"
	"testing"
	"time"
)

// TestFeeder_EndsBetweenPushAndNote_AnotherGoesOnAtOnce stops a process in the middle of a push, as
// in a deployment.
func TestFeeder_EndsBetweenPushAndNote_AnotherGoesOnAtOnce(t *testing.T) {
	on(t, func(f *farm) {
		f.task(60)
		ctx, end := context.WithTimeout(f.t.Context(), time.Minute)
		feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			Window: 100, MinWindow: 100, Chunk: 50, OnPush: func(feed.Pushed) { end() },
		}).Run(ctx)
		if n := f.feed(); n != 60 {
			f.t.Errorf("%d keys are in Redis, want 60: the claim of the feeder that ended holds up the rest", n)
		}
	})
}

// TestFeeder_EndsBeforeItSetsTheMark_AnotherGoesOnAtOnce stops a process while it waits for the
// leases of a Redis that was emptied.
func TestFeeder_EndsBeforeItSetsTheMark_AnotherGoesOnAtOnce(t *testing.T) {
	on(t, func(f *farm) {
		f.task(9)
		f.feed()
		f.now = f.now.Add(time.Hour)
		f.fine(f.Redis.FlushAll(f.t.Context()).Err())
		ctx, end := context.WithTimeout(f.t.Context(), time.Minute)
		feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			LeaseGrace: time.Minute, Log: slog.New(endsAtLog{slog.DiscardHandler, end}),
		}).Run(ctx)
		if n := f.feed(); n != 9 {
			f.t.Errorf("%d keys are in Redis, want 9: the feeder that ended keeps others from setting a mark", n)
		}
	})
}

// endsAtLog is a log handler that ends a process at its first log line.
type endsAtLog struct {
	slog.Handler
	end func()
}

func (l endsAtLog) Enabled(context.Context, slog.Level) bool  { return true }
func (l endsAtLog) Handle(context.Context, slog.Record) error { l.end(); return nil }
func (l endsAtLog) WithAttrs([]slog.Attr) slog.Handler        { return l }
