package dispatch

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
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
				got[turn.feeds[0].Num] = turn.room
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("turns (-want +got):\n%s", diff)
			}
		})
	}
}

// TestATurnCarriesTasksOfALane as long as none has to wait for one before it.
func TestATurnCarriesTasksOfALane(t *testing.T) {
	t.Parallel()
	feed := func(num int64, change func(*tasks.Feed)) tasks.Feed {
		f := tasks.Feed{
			Num: num, Tenant: "a", Kind: "k", Status: tasks.Running, TotalIsFinal: true, Unfed: 1, Total: 1,
		}
		change(&f)
		return f
	}
	plain := func(*tasks.Feed) {}
	reading := func(f *tasks.Feed) { f.TotalIsFinal = false }
	paused := func(f *tasks.Feed) { f.Status = tasks.Paused }
	open := func(f *tasks.Feed) { f.Status, f.TotalIsFinal = tasks.Open, false }
	other := func(f *tasks.Feed) { f.Kind = "other" }
	again := func(f *tasks.Feed) { f.Unfed, f.Fed, f.AgainTo = 0, 1, 1 }
	more := func(f *tasks.Feed) { f.Fed, f.AgainTo = 1, 1 }
	canceling := func(f *tasks.Feed) { more(f); f.Status = tasks.Canceling }
	tests := []struct {
		name  string
		feeds []func(*tasks.Feed)
		want  []int64
	}{
		{"one after another", []func(*tasks.Feed){plain, plain, plain}, []int64{1, 2, 3}},
		{"up to one that is being read", []func(*tasks.Feed){plain, reading, plain}, []int64{1, 2}},
		{"past a paused one", []func(*tasks.Feed){plain, paused, plain}, []int64{1, 3}},
		{"past an open one", []func(*tasks.Feed){open, plain}, []int64{1, 2}},
		{"past those of another lane", []func(*tasks.Feed){plain, other, plain}, []int64{1, 3}},
		{"all that are fed again", []func(*tasks.Feed){again, again, again}, []int64{1, 2, 3}},
		{"not new ones with those", []func(*tasks.Feed){again, plain}, []int64{1}},
		{"which come before them", []func(*tasks.Feed){plain, again, plain}, []int64{2}},
		{"and before the rest of one", []func(*tasks.Feed){more, again, plain}, []int64{1, 2}},
		{"past one that gets no new rows", []func(*tasks.Feed){canceling, again}, []int64{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var feeds []tasks.Feed
			for i, change := range tt.feeds {
				feeds = append(feeds, feed(int64(i+1), change))
			}
			p := newPace(Options{}.withDefaults())
			p.learn(time.Now(), feeds)
			var got []int64
			for _, f := range p.turns(feeds)[0].feeds {
				got = append(got, f.Num)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("tasks of the turn (-want +got):\n%s", diff)
			}
		})
	}
}

// rowsOf are rows of a task that were not resubmitted, from seq low up to high.
func rowsOf(num, low, high int64) (rows []events.Back) {
	for seq := low; seq <= high; seq++ {
		rows = append(rows, events.Back{Event: events.Event{ID: events.NewID(num, seq)}, Since: -1})
	}
	return rows
}

// TestSteps_PushTakenInPart_EndBeforeTheFirstRowLeft leaves the rest in doubt as far as
// Redis may have it.
func TestSteps_PushTakenInPart_EndBeforeTheFirstRowLeft(t *testing.T) {
	t.Parallel()
	b := batch{
		feeds: []tasks.Feed{
			{Num: 1, Total: 3, Unfed: 3, Doubted: 9},
			{Num: 2, Total: 9, Fed: 2, Unfed: 6, Doubted: 5},
			{Num: 3, Total: 1, Unfed: 1, Doubted: 1},
			{Num: 4, Total: 1, Unfed: 1},
		},
		rows: append(rowsOf(1, 2, 3), rowsOf(2, 4, 7)...),
		read: []int64{3, 7},
	}
	type step struct{ fed, waited, doubted int64 }
	for name, tt := range map[string]struct {
		taken int
		more  bool
		want  []step
	}{
		"all":          {6, false, []step{{3, 3, 0}, {7, 4, 1}, {0, 0, 1}, {0, 0, 0}}},
		"none":         {0, false, []step{{1, 0, 9}, {2, 0, 5}, {0, 0, 1}, {0, 0, 0}}},
		"none, unsure": {0, true, []step{{1, 0, 9}, {2, 0, 5}, {0, 0, 1}, {0, 0, 0}}},
		"some":         {3, false, []step{{3, 3, 0}, {4, 1, 4}, {0, 0, 1}, {0, 0, 0}}},
		"some, unsure": {3, true, []step{{3, 3, 0}, {4, 1, 4}, {0, 0, 1}, {0, 0, 0}}},
		"of the first": {1, true, []step{{2, 1, 8}, {2, 0, 5}, {0, 0, 1}, {0, 0, 0}}},
	} {
		var got []step
		for _, one := range b.steps(tt.taken, tt.more) {
			got = append(got, step{one.Feed.Fed, one.Waited, one.Doubted})
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("%s: steps (-want +got):\n%s", name, diff)
		}
	}
	for i := range b.feeds {
		b.feeds[i].Doubted = 0
	}
	if got := b.steps(1, true); got[0].Doubted != 1 || got[1].Doubted != 4 || got[2].Doubted != 0 {
		t.Errorf("steps of a push without an answer = %+v", got)
	}
}
