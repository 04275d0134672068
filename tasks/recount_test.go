package tasks

import (
	"context"
	"errors"
	"testing"
	"time"
)

// slowCount is a recount that takes some time by its clock. Its value is the number of recounts.
type slowCount struct {
	recount[int]
	at    time.Time
	takes time.Duration
	made  int
	fault error
}

func (c *slowCount) read(t *testing.T, want int, age time.Duration) {
	t.Helper()
	got, err := c.get(t.Context(), func(context.Context) (int, error) {
		c.made++
		c.at = c.at.Add(c.takes)
		return c.made, c.fault
	})
	if err != nil || got.Value != want || c.at.Sub(got.At) != age {
		t.Errorf("count %d, %v old, %v; want %d, %v old", got.Value, c.at.Sub(got.At), err, want, age)
	}
}

func newSlowCount(takes time.Duration) *slowCount {
	c := &slowCount{at: time.UnixMilli(0), takes: takes}
	c.now = func() time.Time { return c.at }
	return c
}

// TestRecount_CountTakesLong_IsRepeatedLater: the pause is 200 times as long as the recount took,
// at most 10 minutes.
func TestRecount_CountTakesLong_IsRepeatedLater(t *testing.T) {
	t.Parallel()
	c := newSlowCount(100 * time.Millisecond)
	c.read(t, 1, c.takes)
	c.read(t, 2, c.takes) // cheap enough for each caller
	for _, tt := range []struct{ takes, age time.Duration }{
		{time.Second, 200 * time.Second}, {time.Minute, MaxCountAge},
	} {
		c := newSlowCount(tt.takes)
		c.read(t, 1, tt.takes)
		c.at = c.at.Add(tt.age - tt.takes - 1)
		c.read(t, 1, tt.age-1)
		c.at = c.at.Add(1)
		c.read(t, 2, tt.takes)
	}
}

// TestRecount_CountFails_ReturnsTheLastWhileItIsYoung: later it returns the error.
func TestRecount_CountFails_ReturnsTheLastWhileItIsYoung(t *testing.T) {
	t.Parallel()
	c := newSlowCount(time.Second)
	c.read(t, 1, time.Second)
	c.fault = errors.New("away")
	c.at = c.at.Add(5 * time.Minute)
	c.read(t, 1, 5*time.Minute+2*time.Second)
	c.at = c.at.Add(5 * time.Minute)
	if _, err := c.get(t.Context(), func(context.Context) (int, error) { return 0, c.fault }); !errors.Is(err, c.fault) {
		t.Errorf("a count of ten minutes ago is returned: %v", err)
	}
}

// TestRecount_AnotherCallerCounts_ReturnsTheLast: it does not wait for the other caller.
func TestRecount_AnotherCallerCounts_ReturnsTheLast(t *testing.T) {
	t.Parallel()
	c := newSlowCount(0)
	c.read(t, 1, 0)
	c.counting.Lock()
	c.read(t, 1, 0)
	c.counting.Unlock()
	c.read(t, 2, 0)
}
