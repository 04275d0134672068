package queue

import (
	"errors"
	"slices"
	"testing"
)

// TestForget_OfAQueueThatIsGone_LeavesNoTrace forgets a queue, which is refused until the queue is
// empty and its worker has stopped. It then uses the queue again.
func TestForget_OfAQueueThatIsGone_LeavesNoTrace(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		c, ctx := w.client(), t.Context()
		a := c.Admin()
		if err := a.Forget(ctx, "q"); err != nil {
			t.Errorf("Forget of a queue that nobody used: %v", err)
		}
		w.push(Job{Key: "k"})
		if err := a.Forget(ctx, "q"); !errors.Is(err, ErrInUse) {
			t.Errorf("Forget of a queue that holds a job: %v", err)
		}
		s := w.serve(w.quick(), Worker{Queue: "q", Handle: blank})
		until(t, "the job has run", func() bool { st := w.stats(); return st.Processed == 1 && st.Busy == 0 })
		if err := a.Forget(ctx, "q"); !errors.Is(err, ErrInUse) {
			t.Errorf("Forget of a queue that has a worker: %v", err)
		}
		s.Stop()
		if err := a.Pause(ctx, "q"); err != nil {
			t.Fatal(err)
		}
		if err := a.Forget(ctx, "q"); err != nil {
			t.Fatal(err)
		}
		if list, err := a.Queues(ctx); len(list) > 0 || err != nil {
			t.Errorf("listed: %q, %v", list, err)
		}
		w.push(Job{Key: "k"})
		if list, err := a.Queues(ctx); !slices.Equal(list, []string{"q"}) || err != nil {
			t.Errorf("listed after a push: %q, %v", list, err)
		}
		if st, err := a.Stats(ctx, "q"); st.Paused || st.Processed != 0 || st.Length != 1 || err != nil {
			t.Errorf("made anew: %+v, %v", st, err)
		}
	})
}
