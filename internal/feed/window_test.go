package feed

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// belt simulates a lane whose workers take perS rows per second, without Redis.
type belt struct {
	p       *windows
	now     time.Time
	perS    float64
	fed     int64
	waiting float64
}

func newBelt(perS float64, opt Options) *belt {
	return &belt{p: newWindows(opt.withDefaults()), now: time.Unix(1, 0), perS: perS}
}

// run feeds an endless task for the given time, with a poll every 10 ms. It returns the greatest
// number of rows that waited in the last second.
func (b *belt) run(d time.Duration) (most int64) {
	const interval = 10 * time.Millisecond
	for end := b.now.Add(d); b.now.Before(end); b.now = b.now.Add(interval) {
		b.waiting = max(b.waiting-b.perS*interval.Seconds(), 0)
		lane := lanes.Lane{ID: 1, Pushed: b.fed, Waiting: int64(b.waiting), InRedis: int64(b.waiting)}
		b.p.observe(b.now, []lanes.Lane{lane})
		next := b.p.choose(lane, lanes.Heads{Left: 1 << 40, Next: []lanes.Feed{
			{Num: 1, Lane: 1, Status: tasks.Running, TotalIsFinal: true, Unfed: 1 << 30},
		}})
		b.fed += next.Room
		b.waiting += float64(next.Room)
		if end.Sub(b.now) < time.Second {
			most = max(most, int64(b.waiting))
		}
	}
	return most
}

// TestAWindowFollowsItsWorkers: about as many rows wait as the workers take in 250 ms to one
// second, within bounds, whether the workers become faster or slower.
func TestAWindowFollowsItsWorkers(t *testing.T) {
	t.Parallel()
	b := newBelt(0, Options{})
	for _, step := range []struct {
		perS        float64
		least, most int64
	}{
		{5, 32, 64}, {250, 64, 300}, {2_000, 500, 2_000}, {100_000, 5_000, 10_000}, {2_000, 500, 2_000},
	} {
		b.perS = step.perS
		if got := b.run(10 * time.Second); got < step.least || got > step.most {
			t.Errorf("%v rows/s: %d waited, want %d to %d", step.perS, got, step.least, step.most)
		}
	}
}

// TestFastWorkersAreSoonAtWork: a window that is far too narrow grows within a second.
func TestFastWorkersAreSoonAtWork(t *testing.T) {
	t.Parallel()
	b := newBelt(40_000, Options{})
	b.run(time.Second)
	if b.fed < 20_000 {
		t.Errorf("%d rows fed in the first second to workers that take 40,000", b.fed)
	}
}

// TestLargeRowsHaveANarrowWindow keeps a window within its bytes.
func TestLargeRowsHaveANarrowWindow(t *testing.T) {
	t.Parallel()
	b := newBelt(100_000, Options{})
	b.run(10 * time.Millisecond)
	b.p.lane(1).bytes = 200 << 10
	if got := b.run(5 * time.Second); got > windowBytes/(200<<10) || got == 0 {
		t.Errorf("%d rows of 200 kB waited", got)
	}
}

// TestLanesTakeTurns: the lane that was served longest ago is first.
func TestLanesTakeTurns(t *testing.T) {
	t.Parallel()
	p := newWindows(Options{}.withDefaults())
	lanes := []lanes.Lane{{ID: 1}, {ID: 2}, {ID: 3}}
	var got []int64
	for range 6 { // each poll stops after one lane
		p.observe(time.Unix(1, 0), lanes)
		first := p.order(lanes)[0].ID
		p.lane(first).served = p.poll
		got = append(got, first)
	}
	for i, id := range got {
		if want := int64(i%3 + 1); id != want {
			t.Fatalf("turns of lanes %v, want each in its turn", got)
		}
	}
}
