package feed_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestFeeder_RandomActs_RunsWhatTheReferenceRuns performs random acts on a service and on the
// reference. It compares the two after each poll of a feeder and at each start of a row.
func TestFeeder_RandomActs_RunsWhatTheReferenceRuns(t *testing.T) {
	t.Parallel()
	open := map[string]func(ledgers.T) string{"sqlite": ledgers.SQLite}
	if testenv.All { // a trial on Postgres takes seconds
		open["postgres"] = ledgers.Postgres
	}
	for name, open := range open {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testenv.StartRedis(t)
			rapid.Check(t, func(rt *rapid.T) {
				least := rapid.SampledFrom([]int64{4, 8, 24}).Draw(rt, "least")
				tr := newTrial(t, server, open(t), room{least, 64})
				defer func() { tr.hand.server.Stop() }()
				rt.Repeat(map[string]func(*rapid.T){
					"add": tr.actAdd, "add too": tr.actAdd, "feed": tr.actFeed, "feed too": tr.actFeed,
					"work": tr.actWork, "work too": tr.actWork, "resubmit": tr.actResubmit,
					"restart a feeder": tr.actRestartFeeder, "restart the worker": tr.actRestartWorker,
					"wipe": tr.actWipe, "pause": tr.actPauseOrResume, "pause a tenant": tr.actPauseTenant,
					"cancel": tr.actCancel, "weigh": tr.actWeigh,
				})
				tr.finish(rt)
			})
		})
	}
}

// finish resumes everything that is paused, and runs all rows.
func (tr *trial) finish(t *rapid.T) {
	for _, tenant := range []string{"acme", "globex"} {
		if tr.quiet[tenant] {
			tr.pauseTenant(tenant)
		}
	}
	for _, l := range tr.plan.lots {
		if tr.resting[l.num] && !l.canceled {
			tr.pauseTask(l)
		}
	}
	// Rows of canceled tasks take room until the canceler ends them, which takes a grace period and
	// a poll.
	for idle := 0; idle < 6; idle++ {
		tr.feed(t, 0)
		for ok := true; ok; {
			if _, ok = tr.work(t, events.Finish); ok {
				idle = 0
			}
		}
	}
	tr.ended(t)
}

// ended checks that all rows of tasks that are not canceled have ended, also according to the ledger.
func (tr *trial) ended(t *rapid.T) {
	for _, l := range tr.plan.lots {
		audit, err := recount.New(tr.Events).Audit(tr.t.Context(), l.num)
		tr.fine(err)
		if list := audit.Differences(); len(list) > 0 {
			t.Fatalf("task %d: %v", l.num, list)
		}
		if left := tr.plan.may(l.lane); len(left) > 0 || !l.canceled && audit.Found.Finish+audit.Found.Failed != audit.Found.Total {
			t.Fatalf("task %d: %+v\n%s", l.num, audit.Found, tr.dump(l.lane))
		}
	}
	tr.noHeld()
}
