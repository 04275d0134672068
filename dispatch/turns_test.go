package dispatch

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/tasks"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	opt := Options{Window: 100, Least: 100, Chunk: 40}.withDefaults()
	feed := func(num int64, tenant string, unfed, inRedis int64) tasks.Feed {
		return tasks.Feed{
			Num: num, Tenant: tenant, Kind: "k", Status: tasks.Running, TotalIsFinal: true,
			Unfed: unfed, InRedis: inRedis, Waiting: inRedis,
		}
	}
	reading := feed(1, "a", 0, 10)
	reading.TotalIsFinal = false
	paused := feed(1, "a", 50, 0)
	paused.Status = tasks.Paused
	open := feed(1, "a", 7, 0)
	open.Status, open.TotalIsFinal = tasks.Open, false
	idle := open
	idle.Unfed = 0
	again := feed(1, "a", 5, 100)
	again.AgainTo = 7
	lost := feed(2, "a", 0, 100)
	lost.AgainTo = 100
	stopped := lost
	stopped.Status = tasks.Paused
	slots := func(f tasks.Feed, n int64) tasks.Feed { f.Slots = n; return f }
	running := feed(1, "a", 500, 100)
	running.Waiting = 10
	stale := slots(feed(1, "a", 500, 30), 30)
	stale.Stale = 25
	tests := []struct {
		name  string
		feeds []tasks.Feed
		want  map[int64]int64 // task to room
	}{
		{"nothing waits", []tasks.Feed{feed(1, "a", 0, 5)}, nil},
		{"a chunk at most", []tasks.Feed{feed(1, "a", 500, 0)}, map[int64]int64{1: 40}},
		{"no more than the window", []tasks.Feed{feed(1, "a", 500, 70)}, map[int64]int64{1: 30}},
		{"a small gap is left", []tasks.Feed{feed(1, "a", 500, 90)}, nil},
		{"unless it holds all that waits", []tasks.Feed{feed(1, "a", 3, 90)}, map[int64]int64{1: 10}},
		{"a full window", []tasks.Feed{feed(1, "a", 3, 100)}, nil},
		{
			"the first task of a lane goes first",
			[]tasks.Feed{feed(1, "a", 9, 0), feed(2, "a", 9, 0)},
			map[int64]int64{1: 40},
		},
		{
			"one that is fed lets the next one go",
			[]tasks.Feed{feed(1, "a", 0, 20), feed(2, "a", 9, 0)},
			map[int64]int64{2: 40},
		},
		{"tasks of a lane share its window", []tasks.Feed{feed(1, "a", 0, 80), feed(2, "a", 99, 20)}, nil},
		{"one that is being read holds up the next", []tasks.Feed{reading, feed(2, "a", 9, 0)}, nil},
		{"rows of an open one are fed", []tasks.Feed{open, feed(2, "a", 9, 0)}, map[int64]int64{1: 40}},
		{"one that waits for more rows holds up nobody", []tasks.Feed{idle, feed(2, "a", 9, 0)}, map[int64]int64{2: 40}},
		{"a paused one does not", []tasks.Feed{paused, feed(2, "a", 9, 0)}, map[int64]int64{2: 40}},
		{
			"what was pushed before a wipe has its place in the window",
			[]tasks.Feed{again, feed(2, "a", 9, 0)},
			map[int64]int64{1: 40},
		},
		{
			"what was lost goes before what never was in Redis, whose room it takes",
			[]tasks.Feed{feed(1, "a", 9, 0), lost},
			map[int64]int64{2: 40},
		},
		{"and before a file that is being read", []tasks.Feed{reading, lost}, map[int64]int64{2: 40}},
		{
			"of a paused one too, for it takes room and may run",
			[]tasks.Feed{stopped, feed(3, "a", 9, 0)},
			map[int64]int64{2: 40},
		},
		{
			"tenants take turns",
			[]tasks.Feed{feed(1, "a", 500, 0), feed(2, "b", 9, 0)},
			map[int64]int64{1: 40, 2: 40},
		},
		{"slots are of all kinds", []tasks.Feed{slots(feed(1, "a", 500, 30), 50)}, map[int64]int64{1: 20}},
		{"no slot is left", []tasks.Feed{slots(feed(1, "a", 500, 50), 50)}, nil},
		{"a stale job holds no slot", []tasks.Feed{stale}, map[int64]int64{1: 25}},
		{"what runs is in Redis too", []tasks.Feed{running}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got map[int64]int64
			p := newPace(opt)
			p.learn(time.Now(), tt.feeds)
			for _, turn := range p.turns(tt.feeds) {
				if got == nil {
					got = map[int64]int64{}
				}
				got[turn.feed.Num] = turn.room
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("turns (-want +got):\n%s", diff)
			}
		})
	}
}
