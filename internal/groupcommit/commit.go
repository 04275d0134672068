package groupcommit

import (
	"context"
	"fmt"
	"runtime/debug"
)

// commit commits a batch, and ends a turn. If e, the item of the caller, is alone, its commit ends
// with ctx, or after Options.Timeout. Other items outlive ctx, so commit may return before their
// commit.
func (g *Group[T]) commit(ctx context.Context, e *entry[T], batch []*entry[T]) {
	if len(batch) == 1 && batch[0] == e {
		defer g.end()
		ctx, cancel := context.WithTimeout(ctx, g.opt.Timeout)
		defer cancel()
		g.each(ctx, batch)
		return
	}
	ended := make(chan struct{})
	go func() { // bounded by Options.Timeout; Wait waits for it
		defer close(ended)
		defer g.end()
		defer settleAfterPanic(batch)
		g.together(context.WithoutCancel(ctx), batch)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// settleAfterPanic, deferred, returns the panic of a commit to all callers without a result.
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

// together commits items at once. If that was rolled back, it commits each item alone.
func (g *Group[T]) together(ctx context.Context, batch []*entry[T]) {
	ctx, cancel := context.WithTimeout(ctx, g.opt.Timeout)
	defer cancel()
	items := make([]T, len(batch))
	for i, e := range batch {
		items[i] = e.item
	}
	rolledBack, err := g.opt.Commit(ctx, items)
	if err != nil && rolledBack && ctx.Err() == nil {
		g.each(ctx, batch)
		return
	}
	for _, e := range batch {
		e.settle(err)
	}
}

// each commits items one by one.
func (g *Group[T]) each(ctx context.Context, batch []*entry[T]) {
	for _, e := range batch {
		_, err := g.opt.Commit(ctx, []T{e.item})
		e.settle(err)
	}
}

func (e *entry[T]) settle(err error) {
	e.err = err
	close(e.done)
}
