package feed

import (
	"cmp"
	"log/slog"
	"time"
)

// Options holds the settings of a Feeder. The zero value works.
type Options struct {
	// Window is how many unfinished jobs of one tenant and kind may be in Redis. Redis has fewer
	// if the workers take fewer in a quarter of a second, or if the jobs are large. Default 10,000.
	Window int64

	// MinWindow is how many jobs may wait for a worker even if the workers are slow. It must exceed
	// the number of jobs that run at once, so that no worker idles. If several tenants have waiting
	// rows of one kind, each gets a part of the sum of their minimums, by its weight. Default 64.
	MinWindow int64

	// Chunk is the maximum number of jobs of one push, at most the option Window. Default 4,000. Each
	// push costs two commits in addition to its rows, so small chunks are slow.
	Chunk int64

	// Poll is the longest pause between two polls. Default 1s.
	Poll time.Duration

	// LeaseGrace is how long a node may still run jobs of leases in an earlier Redis. The feeder pushes
	// rows again only after this time. Default 0, for a program in which no other node has leases.
	LeaseGrace time.Duration

	// OnCanceling is called with the ids of the tasks that are being canceled each time the feeder
	// has read them, before it pushes rows. The feeder's goroutine calls it. Default: none.
	OnCanceling func(taskIDs []string)

	// OnPush is called after each push, from the feeder's goroutine. Default: none.
	OnPush func(Pushed)

	// Now returns the time. Default time.Now.
	Now func() time.Time

	// Log gets errors, warnings, and a record of each refill of Redis. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Window = cmp.Or(o.Window, 10_000)
	o.Chunk = min(cmp.Or(o.Chunk, 4_000), o.Window)
	o.MinWindow = cmp.Or(o.MinWindow, 64)
	o.Poll = cmp.Or(o.Poll, time.Second)
	if o.OnCanceling == nil {
		o.OnCanceling = func([]string) {}
	}
	if o.OnPush == nil {
		o.OnPush = func(Pushed) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return o
}
