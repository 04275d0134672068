package flight_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/rollcall-dev/rollcall/internal/flight"
)

func TestGroup_ConcurrentCalls_ShareOneRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g flight.Group[int64]
		var runs atomic.Int64
		begin, fault := make(chan struct{}), errors.New("x")
		run := func() (int64, error) { n := runs.Add(1); <-begin; return n, fault }
		var answers []<-chan flight.Result[int64]
		for range 10 {
			answers = append(answers, g.Do("a", run))
		}
		other := g.Do("b", func() (int64, error) { return 7, nil })
		if r := <-other; r.Val != 7 || r.Err != nil {
			t.Errorf("another key got %+v", r)
		}
		synctest.Wait()
		g.Forget("a")
		answers = append(answers, g.Do("a", run))
		synctest.Wait()
		close(begin)
		for i, answer := range answers {
			if r := <-answer; r.Err != fault || (r.Val == 2) != (i == 10) {
				t.Errorf("call %d got %+v", i, r)
			}
		}
		<-g.Do("a", run)
		if n := runs.Load(); n != 3 {
			t.Errorf("%d runs, want one, one after Forget, and one after the end", n)
		}
	})
}
