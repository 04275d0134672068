package settings

import (
	"reflect"
	"testing"

	"github.com/rollcall-dev/rollcall/queue"
)

func TestServing_Settings_ChooseSplitterAndScheduler(t *testing.T) {
	t.Parallel()
	third := Config{ShardAssignment: "0/3", Scheduler: "sequential"}
	owned := 0
	for shard := range 30 {
		if third.Assign()(queue.ShardInfo{Queue: "k", Shard: shard}, "me", []string{"me"}) {
			owned++
		}
	}
	if owned == 0 || owned == 30 {
		t.Errorf("process 0 of 3 owns %d of 30 shards", owned)
	}
	if !(Config{}).Assign()(queue.ShardInfo{Queue: "k"}, "me", []string{"me"}) {
		t.Error("a process alone does not own a shard")
	}
	for name, want := range map[string]queue.Scheduler{"": queue.Lag(), "lag": queue.Lag(), "sequential": queue.Sequential(), "weighted": queue.Weighted()} {
		if got := (Config{Scheduler: name}).Schedule(); reflect.TypeOf(got) != reflect.TypeOf(want) {
			t.Errorf("%q: %T, want %T", name, got, want)
		}
	}
	for _, text := range []string{"3/3", "-1/2", "1", "a/b", "1/0"} {
		if err := (Config{ShardAssignment: text}).checkServing(); err == nil {
			t.Errorf("SHARD_ASSIGNMENT=%s was accepted", text)
		}
	}
	if err := (Config{MaxRows: 1 << 20, MaxColumns: 1 << 14}).checkLimits(); err != nil {
		t.Errorf("the rows and columns of a sheet: %v", err)
	}
	for _, c := range []Config{{MaxRows: 1<<20 + 1}, {MaxColumns: 1<<14 + 1}, {MaxRows: -1}, {MaxColumns: -1}} {
		if c.checkLimits() == nil {
			t.Errorf("%d rows and %d columns were accepted", c.MaxRows, c.MaxColumns)
		}
	}
	if err := (Config{Weights: map[string]int{"k": 0}}).checkServing(); err == nil {
		t.Error("a weight of 0 was accepted")
	}
}
