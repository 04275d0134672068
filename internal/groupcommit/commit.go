package groupcommit

import "context"

// turn commits the items that wait, and ends a turn. e is the item of the caller: if it is the
// only one, its commit ends with ctx. Other items outlive ctx, so turn returns before they are
// committed if ctx ends.
func (g *Group[T]) turn(ctx context.Context, e *entry[T]) {
	batch := g.take(e)
	if len(batch) < 2 {
		defer g.end()
		g.each(ctx, batch)
		return
	}
	ended := make(chan struct{})
	go func() { // bounded by Options.Timeout; Wait waits for it
		defer close(ended)
		defer g.end()
		g.together(context.WithoutCancel(ctx), batch)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

func (g *Group[T]) end() { <-g.turns }

// together commits items at once, or else each of them alone.
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
