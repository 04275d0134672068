package results

import (
	"iter"
	"sync"
)

const (
	batchRows    = 250 // rows of a batch
	batchesAhead = 4   // maximum number of batches that wait
)

type fetched[T any] struct {
	value T
	err   error
}

// prefetch returns an iterator over the same rows, which reads ahead on a goroutine of its own. Reading
// and writing therefore run in parallel. The iterator waits for this goroutine before it ends. If the
// goroutine panics, the iterator panics with the same value, unless its caller has stopped early.
func prefetch[T any](rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		heaps, stop := make(chan []fetched[T], batchesAhead), make(chan struct{})
		var broke any
		var wait sync.WaitGroup
		wait.Go(func() {
			defer close(heaps)
			defer func() { broke = recover() }()
			fetch(rows, heaps, stop)
		})
		defer wait.Wait()
		defer close(stop)
		for heap := range heaps {
			for _, p := range heap {
				if !yield(p.value, p.err) {
					return
				}
			}
		}
		if broke != nil {
			panic(broke)
		}
	}
}

// fetch sends the rows to the channel `heaps` in batches. It ends early if the channel `stop` is
// closed.
func fetch[T any](rows iter.Seq2[T, error], heaps chan<- []fetched[T], stop <-chan struct{}) {
	var heap []fetched[T]
	send := func() bool {
		select {
		case heaps <- heap:
			heap = nil
			return true
		case <-stop:
			return false
		}
	}
	for value, err := range rows {
		heap = append(heap, fetched[T]{value, err})
		if len(heap) == batchRows && !send() {
			return
		}
	}
	if len(heap) > 0 {
		send()
	}
}
