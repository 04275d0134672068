package feed

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/tasks"
)

// running returns a task of the lane with number 1 that is read to its end.
func running(num, unfed int64) lanes.Feed {
	return lanes.Feed{
		Num: num, Lane: 1, Status: tasks.Running, TotalIsFinal: true, Unfed: unfed, Total: unfed,
	}
}

// TestChoose_RoomOfALane checks which task is chosen first, and how many rows are chosen in all.
func TestChoose_RoomOfALane(t *testing.T) {
	t.Parallel()
	opt := Options{Window: 100, MinWindow: 100, Chunk: 40}.withDefaults()
	again := running(1, 5)
	again.RepushTo = 7
	stopped := running(2, 0)
	stopped.RepushTo, stopped.Status = 100, tasks.Paused
	reading := running(1, 0)
	reading.Reading = true
	type want struct{ num, room int64 }
	of := func(feeds ...lanes.Feed) lanes.Heads { return lanes.Heads{Next: feeds, Left: math.MaxInt64} }
	lost := func(feed lanes.Feed, next ...lanes.Feed) lanes.Heads {
		h := of(next...)
		h.Repush = []lanes.Feed{feed}
		return h
	}
	slots := func(left int64, feeds ...lanes.Feed) lanes.Heads { return lanes.Heads{Next: feeds, Left: left} }
	in := func(waiting int64) lanes.Lane { return lanes.Lane{ID: 1, Waiting: waiting, InRedis: waiting} }
	tests := []struct {
		name  string
		lane  lanes.Lane
		heads lanes.Heads
		want  want
	}{
		{"nothing waits", in(5), of(), want{}},
		{"a chunk at most", in(0), of(running(1, 500)), want{1, 40}},
		{"no more than the window", in(70), of(running(1, 500)), want{1, 30}},
		{"a small gap is left", in(90), of(running(1, 500)), want{}},
		{"unless it holds all that waits", in(90), of(running(1, 3)), want{1, 10}},
		{"a full window", in(100), of(running(1, 3)), want{}},
		{"what was pushed before a wipe has its place in the window", in(100), lost(again, again), want{1, 40}},
		{"what was lost goes before what never was in Redis", in(100), lost(again, running(2, 9)), want{1, 40}},
		{"and before a file that is being read", in(100), lost(stopped, reading), want{2, 40}},
		{"of a paused one too, for it takes room and may run", in(100), lost(stopped, running(3, 9)), want{2, 40}},
		{"slots are of all kinds", in(30), slots(20, running(1, 500)), want{1, 20}},
		{"no slot is left", in(30), slots(0, running(1, 500)), want{}},
		{"what runs is in Redis too", lanes.Lane{ID: 1, InRedis: 100, Waiting: 10}, of(running(1, 500)), want{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newWindows(opt)
			p.observe(time.Now(), []lanes.Lane{tt.lane})
			got, next := want{}, p.choose(tt.lane, tt.heads)
			if len(next.Feeds) > 0 {
				got = want{next.Feeds[0].Num, next.Room}
			}
			if got != tt.want {
				t.Errorf("task and room %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestChoose_TasksOfALane checks that tasks are chosen together until one has to wait for a task
// before it.
func TestChoose_TasksOfALane(t *testing.T) {
	t.Parallel()
	feed := func(num int64, change func(*lanes.Feed)) lanes.Feed {
		f := running(num, 1)
		change(&f)
		return f
	}
	plain := func(*lanes.Feed) {}
	reading := func(f *lanes.Feed) { f.TotalIsFinal, f.Reading = false, true }
	unread := func(f *lanes.Feed) { reading(f); f.Status, f.Unfed = tasks.Open, 0 }
	paused := func(f *lanes.Feed) { f.Status = tasks.Paused }
	open := func(f *lanes.Feed) { f.Status, f.TotalIsFinal = tasks.Open, false }
	again := func(f *lanes.Feed) { f.Unfed, f.Fed, f.RepushTo = 0, 1, 1 }
	more := func(f *lanes.Feed) { f.Fed, f.RepushTo = 1, 1 }
	back := func(f *lanes.Feed) { f.Unfed, f.Fed, f.Resubmitted, f.ResubmittedFrom = 0, 1, 1, 1 }
	behind := func(f *lanes.Feed) { f.Resubmitted, f.ResubmittedFrom = 1, 2 }
	tests := []struct {
		name  string
		feeds []func(*lanes.Feed)
		want  []int64
		back  bool
	}{
		{"one after another", []func(*lanes.Feed){plain, plain, plain}, []int64{1, 2, 3}, false},
		{"up to one that is being read", []func(*lanes.Feed){plain, reading, plain}, []int64{1, 2}, false},
		{"up to one that is not read yet", []func(*lanes.Feed){plain, unread, plain}, []int64{1}, false},
		{"past a paused one", []func(*lanes.Feed){plain, paused, plain}, []int64{1, 3}, false},
		{"past an open one", []func(*lanes.Feed){open, plain}, []int64{1, 2}, false},
		{"all that are fed again", []func(*lanes.Feed){again, again, again}, []int64{1, 2, 3}, false},
		{"not new ones with those", []func(*lanes.Feed){again, plain}, []int64{1}, false},
		{"which come before them", []func(*lanes.Feed){plain, again, plain}, []int64{2}, false},
		{"and before the rest of one", []func(*lanes.Feed){more, again, plain}, []int64{1, 2}, false},
		{"resubmitted rows before later tasks", []func(*lanes.Feed){back, plain}, []int64{1}, true},
		{"and behind those before them", []func(*lanes.Feed){plain, back, plain}, []int64{1}, false},
		{"and behind a file that is being read", []func(*lanes.Feed){unread, back}, nil, false},
		{"past those that come in their place", []func(*lanes.Feed){behind, plain}, []int64{1, 2}, false},
		{"before what is fed again behind them", []func(*lanes.Feed){back, again}, []int64{1}, true},
		{"behind what is fed again before them", []func(*lanes.Feed){again, back}, []int64{1}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := lanes.Heads{Left: math.MaxInt64}
			for i, change := range tt.feeds {
				f := feed(int64(i+1), change)
				if f.NeedsRepush() {
					h.Repush = append(h.Repush, f)
				}
				if f.Unfed > 0 || f.Resubmitted > 0 || f.Reading {
					h.Next = append(h.Next, f)
				}
			}
			p := newWindows(Options{}.withDefaults())
			p.lane(1).back.window = 100
			next := p.choose(lanes.Lane{ID: 1}, h)
			var got []int64
			for _, f := range next.Feeds {
				got = append(got, f.Num)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || next.back != tt.back {
				t.Errorf("resubmitted rows: %v, tasks (-want +got):\n%s", next.back, diff)
			}
		})
	}
}

// rowsOf returns the rows of a task that were not resubmitted, with seq from low to high.
func rowsOf(num, low, high int64) (rows []pending.Row) {
	for seq := low; seq <= high; seq++ {
		rows = append(rows, pending.Row{Event: events.Event{ID: events.NewID(num, seq)}, Since: -1})
	}
	return rows
}

// TestSteps_PushTakenInPart_EndBeforeTheFirstRowLeft checks that the remaining rows stay in doubt
// as far as Redis may have them.
func TestSteps_PushTakenInPart_EndBeforeTheFirstRowLeft(t *testing.T) {
	t.Parallel()
	b := batch{
		feeds: []lanes.Feed{
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
		b.held, b.done = make([]bool, len(b.rows)), tt.taken
		for _, one := range b.result(tt.more).steps {
			got = append(got, step{one.Feed.Fed, one.Waited, one.Doubted})
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("%s: steps (-want +got):\n%s", name, diff)
		}
	}
	for i := range b.feeds {
		b.feeds[i].Doubted = 0
	}
	b.done = 1
	if got := b.result(true).steps; got[0].Doubted != 1 || got[1].Doubted != 4 || got[2].Doubted != 0 {
		t.Errorf("steps of a push without an answer = %+v", got)
	}
}
