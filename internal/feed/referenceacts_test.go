package feed_test

import (
	"time"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
)

var (
	someTenant = rapid.SampledFrom([]string{"acme", "globex"})
	someKind   = rapid.SampledFrom([]string{"k", "k", "k", "m"})
	someKeys   = rapid.OneOf( // hot keys, rows of their own key, and tasks of one row
		rapid.SliceOfN(rapid.SampledFrom([]string{"a", "a", "a", "b", "c", ""}), 1, 30),
		rapid.SliceOfN(rapid.Just("a"), 5, 20),
		rapid.SliceOfN(rapid.Just(""), 1, 20),
		rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", ""}), 1, 1),
	)
	someEnds = rapid.SliceOfN(rapid.SampledFrom([]events.Status{
		events.Finish, events.Finish, events.Finish, events.Finish, events.Enqueue, events.Failed,
	}), 1, 12)
)

// noAct makes rapid draw another act, because this act is impossible now. It does not end the test.
func noAct(t *rapid.T, why string) { t.Skip(why) }

func (tr *trial) actAdd(t *rapid.T) {
	if len(tr.plan.lots) == 12 {
		noAct(t, "enough tasks")
	}
	priority := rapid.SampledFrom([]int64{0, 0, 5}).Draw(t, "priority")
	tr.enter(someTenant.Draw(t, "tenant"), someKind.Draw(t, "kind"), priority, someKeys.Draw(t, "keys"))
}

func (tr *trial) actFeed(t *rapid.T) { tr.feed(t, rapid.IntRange(0, 1).Draw(t, "feeder")) }

func (tr *trial) actWork(t *rapid.T) {
	for _, to := range someEnds.Draw(t, "ends") {
		if _, ok := tr.work(t, to); !ok {
			return
		}
	}
}

func (tr *trial) actRestartFeeder(t *rapid.T) { tr.restart(rapid.IntRange(0, 1).Draw(t, "feeder")) }

func (tr *trial) actRestartWorker(*rapid.T) {
	tr.hand.server.Stop()
	tr.hand = tr.farm.hand()
	tr.crashed++
}

// actWipe empties Redis. The worker ends, because it has lost its leases.
func (tr *trial) actWipe(*rapid.T) {
	tr.hand.server.Stop()
	tr.fine(tr.Redis.FlushAll(tr.t.Context()).Err())
	tr.now = tr.now.Add(time.Minute)
	tr.hand = tr.farm.hand()
	tr.crashed++
}
