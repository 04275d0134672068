package groupcommit

import (
	"context"
	"fmt"
	"runtime/debug"
)

// commit commits a batch, after which the next commit can start. If the batch holds only the caller's
// item e, the commit ends with ctx, or after Options.Timeout. Otherwise commit returns when ctx ends,
// but the commit of the batch continues until Options.Timeout.
func (g *Group[T]) commit(ctx context.Context, e *entry[T], batch []*entry[T]) {
	if len(batch) == 1 && batch[0] == e {
		defer g.end()
		ctx, cancel := context.WithTimeout(ctx, g.opt.Timeout)
		defer cancel()
		g.commitEach(ctx, batch)
		return
	}
	ended := make(chan struct{})
	go func() { // bounded by Options.Timeout; Wait waits for it
		defer close(ended)
		defer g.end()
		defer settleAfterPanic(batch)
		g.commitTogether(context.WithoutCancel(ctx), batch)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// settleAfterPanic recovers from a panic of a commit, and returns it as an error to all callers
// that have no result yet. Call it with defer.
func settleAfterPanic[T any](batch []*entry[T]) {
	p := recover()
	if p == nil {
		return
	}
	err := fmt.Errorf("groupcommit: panic: %v\n%s", p, debug.Stack())
	for _, e := range batch {
		select {
		case <-e.done:
		default:
			e.settle(err)
		}
	}
}

func (g *Group[T]) end() { <-g.turns }

// commitTogether commits all items in one commit. If this commit is rolled back before Options.Timeout,
// it commits each item alone.
func (g *Group[T]) commitTogether(ctx context.Context, batch []*entry[T]) {
	ctx, cancel := context.WithTimeout(ctx, g.opt.Timeout)
	defer cancel()
	items := make([]T, len(batch))
	for i, e := range batch {
		items[i] = e.item
	}
	rolledBack, err := g.opt.Commit(ctx, items)
	if err != nil && rolledBack && ctx.Err() == nil {
		g.commitEach(ctx, batch)
		return
	}
	for _, e := range batch {
		e.settle(err)
	}
}

func (g *Group[T]) commitEach(ctx context.Context, batch []*entry[T]) {
	for _, e := range batch {
		_, err := g.opt.Commit(ctx, []T{e.item})
		e.settle(err)
	}
}

func (e *entry[T]) settle(err error) {
	e.err = err
	close(e.done)
}
