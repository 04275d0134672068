// Package flight joins concurrent calls for the same key into one call.
//
// All callers that arrive while the function of a key runs get its result. Results are not kept: the first
// call after the end of the function, or after Forget, starts its own function.
package flight

import "sync"

// Result holds the value and the error that the function of a call has returned.
type Result[T any] struct {
	Val T
	Err error
}

// Group holds the running calls, by key. The zero value works.
type Group[T any] struct {
	mu    sync.Mutex
	calls map[string]*call[T]
}

// call is a running function and the callers that wait for it.
type call[T any] struct{ waiting []chan<- Result[T] }

// Do returns a channel that gets the result of f, or of an earlier call for the same key that is
// still running. The function f runs in its own goroutine, so it continues if all callers stop
// waiting. f must not panic.
func (g *Group[T]) Do(key string, f func() (T, error)) <-chan Result[T] {
	answer := make(chan Result[T], 1)
	g.mu.Lock()
	defer g.mu.Unlock()
	if c, ok := g.calls[key]; ok {
		c.waiting = append(c.waiting, answer)
		return answer
	}
	c := &call[T]{waiting: []chan<- Result[T]{answer}}
	if g.calls == nil {
		g.calls = map[string]*call[T]{}
	}
	g.calls[key] = c
	go g.run(key, c, f)
	return answer
}

func (g *Group[T]) run(key string, c *call[T], f func() (T, error)) {
	var r Result[T]
	r.Val, r.Err = f()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls[key] == c {
		delete(g.calls, key)
	}
	for _, answer := range c.waiting {
		answer <- r
	}
}

// Forget makes the next call of Do for a key start its function, even if an earlier function still
// runs. Earlier callers still get the result of the earlier function.
func (g *Group[T]) Forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
}
