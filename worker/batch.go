package worker

import (
	"context"
	"iter"
)

// BatchHandler does the work of several jobs in one call. An error goes to
// every job that is not resolved, as if each had returned it; nil finishes
// them.
type BatchHandler[T any] func(ctx context.Context, b *Batch[T]) error

// Batch is what one call of a BatchHandler works on: all jobs that wait under
// each of up to BatchSize keys.
type Batch[T any] struct{ jobs []*Job[T] }

// Keys goes through the keys of the batch, each with its jobs, oldest score
// first.
func (b *Batch[T]) Keys() iter.Seq2[string, []*Job[T]] {
	return func(yield func(string, []*Job[T]) bool) {
		for list := b.jobs; len(list) > 0; {
			n := 1
			for n < len(list) && list[n].sameKey(list[0].Call) {
				n++
			}
			if !yield(list[0].Key, list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// DefineBatch makes a kind whose handler works on several keys at once. Every
// job still has its own outcome: see Call.Resolve and Job.Superseded. It
// panics like Define.
//
// The order of a key holds: if a job has to run again, the newer ones of its
// key are put back and run again after it, whatever the handler made of them.
// That costs them no attempt. Where the newest says it all, mark the older
// ones as superseded by it.
func DefineBatch[T any](name string, h BatchHandler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{batch: h, schema: schemaOf[T]()}
	d.kind = Kind{Batch: true, Run: d.runBatch}
	d.define(name, h == nil, opts)
	return d
}

// runBatch hands the jobs to the handler, except those whose params cannot be
// read: that is their own outcome.
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

// latest leaves the newest call of each key and has it supersede the others.
func latest(calls []*Call, only bool) []*Call {
	if !only {
		return calls
	}
	var out []*Call
	for i, c := range calls {
		if i+1 == len(calls) || !c.sameKey(calls[i+1]) {
			out = append(out, c)
		}
	}
	newest := out
	for _, c := range calls {
		if !c.sameKey(newest[0]) {
			newest = newest[1:]
		}
		if c != newest[0] {
			c.supersede(newest[0])
		}
	}
	return out
}
