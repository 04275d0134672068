package queue

import (
	"iter"
	"sync"
	"sync/atomic"
	"time"
)

// Batch is what one call of a handler works on: up to Worker.BatchSize keys of
// one shard, each with all its payloads in order.
type Batch struct {
	Queue string
	Shard int

	// Deliveries holds the payloads of one key after those of another, lowest
	// score first. The slice is the handler's to keep until the batch ends.
	Deliveries []*Delivery

	units   []*unit
	open    atomic.Int32 // the handler and the holds that are not released
	verdict verdict      // how the handler ended
	end     func(*Batch) // called once, when open falls to zero
}

// NewBatch returns a batch of deliveries for the test of a handler, without Redis. The
// deliveries of a key must follow each other, the lowest score first.
func NewBatch(queue string, deliveries ...*Delivery) *Batch {
	b := &Batch{Queue: queue, Deliveries: deliveries}
	b.open.Store(1)
	return b
}

// Unresolved returns the deliveries without an outcome. An error of the handler applies
// to these.
func (b *Batch) Unresolved() (list []*Delivery) {
	for _, d := range b.Deliveries {
		if _, resolved := d.Outcome(); !resolved {
			list = append(list, d)
		}
	}
	return list
}

// End gives each unresolved delivery of a batch the outcome that a server would give it
// behind a handler that returned err, for tests of handlers.
func (w Worker) End(b *Batch, err error, now time.Time) {
	for _, list := range b.Keys() {
		w.resolve(list, verdict{err: err, now: now})
	}
}

// Keys goes through the keys of the batch, each with its payloads.
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

// Hold keeps the batch in flight after the handler returned, until release is
// called: neither acked nor its keys ready. The handler's goroutine is free
// meanwhile. Call it before the handler returns; release may come from any
// goroutine and counts once. A batch that is held must be released, also after
// its context was cancelled.
func (b *Batch) Hold() (release func()) {
	b.open.Add(1)
	return sync.OnceFunc(b.close)
}

func (b *Batch) close() {
	if b.open.Add(-1) == 0 && b.end != nil {
		b.end(b)
	}
}
