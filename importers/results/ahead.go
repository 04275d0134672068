package results

import (
	"iter"
	"sync"
)

// aheadOf is how many rows are handed over at once, and aheadBy how many such
// heaps may wait.
const (
	aheadOf = 250
	aheadBy = 4
)

type pulled[T any] struct {
	value T
	err   error
}

// ahead reads rows in a goroutine of its own, so that reading and writing each
// have a core. It waits for that goroutine; a panic there is one here.
func ahead[T any](rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		heaps, stop := make(chan []pulled[T], aheadBy), make(chan struct{})
		var broke any
		var wait sync.WaitGroup
		wait.Go(func() {
			defer close(heaps)
			defer func() { broke = recover() }()
			pull(rows, heaps, stop)
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

// pull hands out what rows yields, until stop is closed.
func pull[T any](rows iter.Seq2[T, error], heaps chan<- []pulled[T], stop <-chan struct{}) {
	var heap []pulled[T]
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
		heap = append(heap, pulled[T]{value, err})
		if len(heap) == aheadOf && !send() {
			return
		}
	}
	if len(heap) > 0 {
		send()
	}
}
