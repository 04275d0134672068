package queue

import (
	"slices"
	"testing"
)

func TestPausedQueues_SomeArePaused_AreListed(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		c := w.client(Spec{Name: "b"}, Spec{Name: "a"}, Spec{Name: "c"})
		a := c.Admin()
		paused := func(want ...string) {
			t.Helper()
			if got, err := a.PausedQueues(t.Context()); err != nil || !slices.Equal(got, want) {
				t.Errorf("paused queues = %v, %v, want %v", got, err, want)
			}
		}
		paused()
		for _, queue := range []string{"b", "a", "c"} {
			if err := c.Push(t.Context(), Job{Queue: queue, Key: "k"}); err != nil {
				t.Fatal(err)
			}
		}
		paused()
		for _, queue := range []string{"c", "a"} {
			if err := a.Pause(t.Context(), queue); err != nil {
				t.Fatal(err)
			}
		}
		paused("a", "c")
	})
}
