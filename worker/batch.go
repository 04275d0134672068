package worker

import (
	"context"
	"iter"
)

// BatchHandler handles a Batch. Its error applies to jobs without an outcome.
type BatchHandler[T any] func(ctx context.Context, b *Batch[T]) error

// Batch holds up to BatchSize keys, each with up to 500 waiting jobs.
type Batch[T any] struct{ jobs []*Job[T] }

// Keys iterates over the keys, each with its jobs in order.
func (b *Batch[T]) Keys() iter.Seq2[string, []*Job[T]] {
	return func(yield func(string, []*Job[T]) bool) {
		for list := b.jobs; len(list) > 0; {
			n := 1
			for n < len(list) && list[n].state().SameKey(list[0].state()) {
				n++
			}
			if !yield(list[0].Key, list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// DefineBatch makes a kind whose handler gets several keys at once. Call.Resolve sets the outcome of one
// job. Jobs of a key keep their order.
func DefineBatch[T any](name string, h BatchHandler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{batch: h}
	d.define(name, h == nil, opts)
	return d
}

// runBatch passes the jobs to the handler or, with Latest, the newest job of each key. It does not
// pass jobs whose params cannot be parsed, but resolves them with the error.
func (d *Definition[T]) runBatch(ctx context.Context, calls ...*Call) error {
	b := &Batch[T]{}
	for _, c := range latest(calls, d.kind.Latest) {
		job := &Job[T]{Call: c}
		if err := d.decode(c.Params, &job.Args); err != nil {
			c.Resolve(err)
			continue
		}
		b.jobs = append(b.jobs, job)
	}
	if len(b.jobs) == 0 {
		return nil
	}
	return d.batch(ctx, b)
}

// latest returns the newest call of each key, which then supersedes the other calls of the key. If `only`
// is false, it returns all calls.
func latest(calls []*Call, only bool) []*Call {
	if !only {
		return calls
	}
	var out []*Call
	for i, c := range calls {
		if i+1 == len(calls) || !c.state().SameKey(calls[i+1].state()) {
			out = append(out, c)
		}
	}
	newest := out
	for _, c := range calls {
		if !c.state().SameKey(newest[0].state()) {
			newest = newest[1:]
		}
		if c != newest[0] {
			c.state().Supersede(newest[0].state())
		}
	}
	return out
}
