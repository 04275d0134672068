package feed_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// feed runs a feeder until nothing more fits, and compares the ledger and Redis with the reference.
func (tr *trial) feed(t *rapid.T, feeder int) {
	tr.now = tr.now.Add(time.Second)
	tr.cancels(tr.ends)
	if err := tr.feeders[feeder].Feed(tr.t.Context()); err != nil {
		t.Fatal(err)
	}
	feeds, err := lanes.New(tr.Tasks).Feeds(tr.t.Context())
	tr.fine(err)
	tr.positions(t, feeds)
	ending := map[string]int64{} // rows of canceled tasks take room until the canceler ends them
	for _, f := range feeds {
		if f.Status == tasks.Canceling {
			ending[f.Tenant+"/"+f.Kind] += f.InRedis
		}
	}
	for _, lane := range tr.lanes() {
		tr.compare(t, lane, ending[lane], tr.located(lane))
	}
}

// lanes returns the lanes that have tasks.
func (tr *trial) lanes() (out []string) {
	for _, l := range tr.plan.lots {
		if !slices.Contains(out, l.lane) {
			out = append(out, l.lane)
		}
	}
	return out
}

// positions checks that the feeder has passed the rows that are first in the order of feeding.
func (tr *trial) positions(t *rapid.T, feeds []lanes.Feed) {
	at := map[int64]int{}
	for _, f := range feeds {
		at[f.Num] = int(f.Fed)
	}
	for _, lane := range tr.lanes() {
		n, lots := 0, tr.plan.order(lane)
		for _, l := range lots {
			if _, open := at[l.num]; !open {
				at[l.num] = len(l.rows)
			}
			n += at[l.num] - l.passed
		}
		tr.plan.pass(lane, n)
		for _, l := range lots {
			if at[l.num] != l.passed {
				t.Fatalf("%d rows of task %d were passed, want %d\n%s", at[l.num], l.num, l.passed, tr.dump(lane))
			}
		}
	}
}
