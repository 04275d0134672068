package queue

import (
	"iter"
	"sync"
	"sync/atomic"
	"time"
)

// Batch is the work of one handler call: up to Worker.BatchSize keys of one shard, each with up to
// 500 of its payloads in order.
type Batch struct {
	Queue string
	Shard int

	// Deliveries groups the payloads by key, lowest score first. The handler may use and
	// change the slice until the batch ends.
	Deliveries []*Delivery

	units   []*inflightKey
	open    atomic.Int32  // 1 while the handler runs, plus the unreleased holds
	result  callResult    // how the handler ended
	end     func(*Batch)  // called once, when open falls to zero
	running *atomic.Int64 // Server.running; nil in a batch of NewBatch
}

// NewBatch returns a batch of deliveries for tests of handlers, without Redis. The deliveries of a
// key must be adjacent, the lowest score first.
func NewBatch(queue string, deliveries ...*Delivery) *Batch {
	b := &Batch{Queue: queue, Deliveries: deliveries}
	b.open.Store(1)
	return b
}

// Unresolved returns the deliveries without an outcome. The error of a handler applies only to
// them.
func (b *Batch) Unresolved() (list []*Delivery) {
	for _, d := range b.Deliveries {
		if _, resolved := d.Outcome(); !resolved {
			list = append(list, d)
		}
	}
	return list
}

// End resolves each unresolved delivery of a batch as a server does after its handler returned err.
// It is for tests of handlers.
func (w Worker) End(b *Batch, err error, now time.Time) {
	for _, list := range b.Keys() {
		w.resolve(list, callResult{err: err, now: now})
	}
}

// Keys iterates over the keys of the batch, each with its payloads.
func (b *Batch) Keys() iter.Seq2[string, []*Delivery] {
	return func(yield func(string, []*Delivery) bool) {
		for list := b.Deliveries; len(list) > 0; {
			n := 1
			for n < len(list) && list[n].Key == list[0].Key {
				n++
			}
			if !yield(list[0].Key, list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// Hold keeps the batch in flight after the handler returned, until the caller calls `release`. Meanwhile
// no other payloads of its keys run, but the goroutine of the handler is free. Call Hold before the
// handler returns. The caller may call `release` on any goroutine; a second call of `release` is a no-op.
// Release a held batch even if its context was canceled.
func (b *Batch) Hold() (release func()) {
	b.open.Add(1)
	return sync.OnceFunc(b.close)
}

// Count raises Counts.Running by one until the caller calls `done`, which it must do exactly once. A held
// batch uses Count for work that continues after its handler returned.
func (b *Batch) Count() (done func()) {
	if b.running == nil { // a batch of NewBatch
		return func() {}
	}
	b.running.Add(1)
	return func() { b.running.Add(-1) }
}

func (b *Batch) close() {
	if b.open.Add(-1) == 0 && b.end != nil {
		b.end(b)
	}
}
