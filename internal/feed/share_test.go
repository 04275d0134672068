package feed

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// counter is a simulation of workers without Redis. They take rows of several lanes of a kind in
// the order in which these were pushed.
type counter struct {
	p     *windows
	now   time.Time
	perS  float64
	due   float64 // rows that may be taken
	line  []int64 // lanes of the rows that wait
	lanes []lanes.Lane
	slow  int64         // the lane whose rows workers skip; 0 means none
	taken map[int64]int // by lane
}

func newCounter(perS float64, weights ...int64) *counter {
	c := &counter{p: newWindows(Options{}.withDefaults()), now: time.Unix(1, 0), perS: perS, taken: map[int64]int{}}
	for i, w := range weights {
		c.lanes = append(c.lanes, lanes.Lane{ID: int64(i + 1), Weight: w})
	}
	return c
}

// run polls every 10 ms for the given time. Each of the first n lanes has endless rows.
func (c *counter) run(d time.Duration, n int) {
	clear(c.taken)
	for end := c.now.Add(d); c.now.Before(end); c.now = c.now.Add(10 * time.Millisecond) {
		for c.due += c.perS / 100; c.due >= 1; c.due-- {
			c.take()
		}
		c.p.observe(c.now, c.lanes[:n])
		for _, l := range c.p.order(c.lanes[:n]) {
			c.p.lane(l.ID).served = c.p.poll
			c.push(l)
		}
	}
}

// take simulates a worker: it removes the first row of the line that is not of the slow lane, and
// counts it.
func (c *counter) take() {
	for i, id := range c.line {
		if id != c.slow {
			copy(c.line[1:], c.line[:i])
			c.line = c.line[1:]
			c.taken[id]++
			c.lanes[id-1].Waiting--
			c.lanes[id-1].InRedis--
			return
		}
	}
}

func (c *counter) push(l lanes.Lane) {
	next := c.p.choose(l, lanes.Heads{Left: 1 << 40, Next: []lanes.Feed{
		{Num: l.ID, Lane: l.ID, Status: tasks.Running, TotalIsFinal: true, Unfed: 1 << 30},
	}})
	for range next.Room {
		c.line = append(c.line, l.ID)
	}
	at := &c.lanes[l.ID-1]
	at.Pushed, at.Waiting, at.InRedis = at.Pushed+next.Room, at.Waiting+next.Room, at.InRedis+next.Room
}

// part returns the share of a lane in the rows that were taken, in percent.
func (c *counter) part(lane int64) int {
	all := 0
	for _, n := range c.taken {
		all += n
	}
	return 100 * c.taken[lane] / max(all, 1)
}

func TestShare_ALaneComesBesideAFastOne_HasItsPartSoon(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		perS        float64
		weight      int64
		least, most int
	}{
		{100, 1, 48, 52},
		{10_000, 1, 48, 52},
		{100, 3, 73, 77},
		{10_000, 3, 73, 77},
		{2_000, 9, 88, 92},
		{100, 1000, 98, 100},
		{10_000, 1000, 98, 100},
	} {
		c := newCounter(tt.perS, 1, tt.weight)
		c.run(10*time.Second, 1)
		c.run(3*time.Second, 2)
		c.run(10*time.Second, 2)
		if got := c.part(2); got < tt.least || got > tt.most {
			t.Errorf("%v rows/s: a lane of weight %d got %d %%, want %d to %d", tt.perS, tt.weight, got, tt.least, tt.most)
		}
		if n := len(c.line); n > 20_000 || float64(n) > max(2*tt.perS, 300) {
			t.Errorf("%v rows/s: %d rows wait", tt.perS, n)
		}
	}
}

// TestShare_RowsOfALaneArePassedBy_OtherLaneIsNotHeldUp has rows of a lane with a high weight wait
// for other rows of their keys.
func TestShare_RowsOfALaneArePassedBy_OtherLaneIsNotHeldUp(t *testing.T) {
	t.Parallel()
	c := newCounter(2_000, 1, 1000)
	c.slow = 2
	c.run(10*time.Second, 2)
	if got := c.taken[1]; got < 15_000 {
		t.Errorf("%d rows of the other lane were taken, want most of 20,000", got)
	}
	c.slow = 0
	c.run(5*time.Second, 2)
	c.run(10*time.Second, 2)
	if got := c.part(2); got < 98 {
		t.Errorf("the lane got %d %% when its rows could run, want 99", got)
	}
}

// TestResubmittedShare_RowsOfAnotherLaneWait_IsBoundByWeights has another lane with more rows than room.
func TestResubmittedShare_RowsOfAnotherLaneWait_IsBoundByWeights(t *testing.T) {
	t.Parallel()
	for weight, want := range map[int64]int64{1: 50, 9: 10, 3000: 1} {
		c := newCounter(100, 1, weight)
		c.run(time.Second, 2)
		c.lanes[0].Waiting, c.lanes[0].InRedis, c.line = 0, 0, nil
		fl := c.p.lane(1)
		fl.saturated = false // all of its own rows have ended
		c.p.observe(c.now, c.lanes)
		alone := c.p.rivals[""].window
		fl.back.window = alone
		back := lanes.Feed{Num: 1, Lane: 1, Resubmitted: 1 << 30}
		if got, most := c.p.resubmittedRoom(back, 1<<40), 2*alone*want/100; got < max(most*9/10, 1) || got > most+1 {
			t.Errorf("beside a weight of %d there is room for %d resubmitted rows, want %d of %d", weight, got, most, 2*alone)
		}
	}
}
