// Package groupcommit commits the items of concurrent callers together. The items of callers that
// arrive during a commit are committed together afterwards. A single caller commits at once. Only
// one commit runs at a time, so that more items share a commit.
//
// An item is committed, or its caller gets an error. A faulty item does not affect the others:
// after a commit that was rolled back, each of its items is committed alone.
//
// The package runs no statement: Options.Commit does.
package groupcommit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Options holds the settings of a Group. All fields are required.
type Options[T any] struct {
	Most    int           // the most items of one commit
	Timeout time.Duration // timeout of a commit

	// Commit commits items. The result `rolledBack` is true if Commit certainly committed no item.
	Commit func(ctx context.Context, items []T) (rolledBack bool, err error)
}

// Group holds the items of callers that wait for a commit. Make it with New. It is safe for
// concurrent use.
type Group[T any] struct {
	opt   Options[T]
	turns chan struct{} // holds a token while a commit runs

	mu      sync.Mutex
	waiting []*entry[T]
}

type entry[T any] struct {
	item T
	done chan struct{} // closed when err is set
	err  error
}

// New returns a group.
func New[T any](opt Options[T]) *Group[T] {
	return &Group[T]{opt: opt, turns: make(chan struct{}, 1)}
}

// Do commits an item, alone or with the items of other callers, and returns the error of the
// commit. If ctx ends earlier, Do returns the error of ctx. A running commit with items of other
// callers continues, so the item may still be committed up to Options.Timeout later.
func (g *Group[T]) Do(ctx context.Context, item T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &entry[T]{item: item, done: make(chan struct{})}
	for g.add(e); ; {
		select {
		case <-e.done:
			return e.err
		case <-ctx.Done():
			g.withdraw(e)
			return e.awaitOutcome(ctx)
		case g.turns <- struct{}{}:
		}
		batch := g.take(e)
		if len(batch) == 0 { // another commit has the item
			g.end()
			return e.awaitOutcome(ctx)
		}
		g.commit(ctx, e, batch)
	}
}

// awaitOutcome waits for the commit of the item, until ctx ends.
func (e *entry[T]) awaitOutcome(ctx context.Context) error {
	select {
	case <-e.done:
		return e.err
	case <-ctx.Done():
	}
	select {
	case <-e.done:
		return e.err
	default:
		return ctx.Err()
	}
}

// Wait returns when no commit is running. The caller ensures that no other commit starts.
func (g *Group[T]) Wait() {
	g.turns <- struct{}{}
	g.end()
}

func (g *Group[T]) add(e *entry[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, e)
}

// withdraw removes an item that no commit has taken yet.
func (g *Group[T]) withdraw(e *entry[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, e); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
}

// take removes and returns the items of the next commit. It returns nil if another commit has taken
// the item e.
func (g *Group[T]) take(e *entry[T]) []*entry[T] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.waiting, e) {
		return nil
	}
	n := min(len(g.waiting), g.opt.Most)
	batch := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return batch
}
