package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestScoresTooLargeToDifferGoByPayload pushes payloads that begin with their number, which is too
// large for distinct scores.
func TestScoresTooLargeToDifferGoByPayload(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const n, first = 300, int64(2_250_000) << 32
		var jobs []Job
		for i := range int64(n) {
			jobs = append(jobs, Job{
				Key: "k", Payload: fmt.Appendf(nil, "%016x", first+i), Score: float64(first + i),
			})
		}
		rand.Shuffle(n, func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
		w.push(jobs[:100]...)
		w.push(jobs[50:200]...)
		var mu sync.Mutex
		var got []string
		w.serve(w.quick(), Worker{
			Queue: "q", RetryIn: func(int) time.Duration { return 50 * time.Millisecond },
			Handle: func(_ context.Context, b *Batch) error {
				mu.Lock()
				defer mu.Unlock()
				if got == nil { // the failed payloads are merged with waiting and new ones
					got = []string{}
					w.push(jobs[150:]...)
					return errors.New("once")
				}
				for _, d := range b.Deliveries {
					got = append(got, string(d.Payload))
				}
				return nil
			},
		})
		until(t, "all done", func() bool { return w.stats().Processed == n })
		mu.Lock()
		defer mu.Unlock()
		if len(got) != n || !slices.IsSorted(got) {
			t.Errorf("%d payloads, sorted %v", len(got), slices.IsSorted(got))
		}
	})
}
