package access

import (
	"context"
	"fmt"
	"sync"
)

// Bounds of the lookups of credentials that are not cached as good, so guesses use at most so many
// connections. The others wait in order, so a good one is found after earlier requests.
const (
	lanesOfAll     = 3
	lanesOfAddress = 2
)

// lanes limits concurrent lookups. Make it with newLanes.
type lanes struct {
	all chan struct{}
	mu  sync.Mutex
	by  map[string]*lane
}

// lane holds the lookups of one address.
type lane struct {
	slots chan struct{}
	users int // requests that wait or look up
}

func newLanes() *lanes {
	return &lanes{all: make(chan struct{}, lanesOfAll), by: map[string]*lane{}}
}

// enter waits for a free slot. The caller calls leave after the lookup.
func (l *lanes) enter(ctx context.Context, from string) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	own := l.join(from)
	if err := occupy(ctx, own.slots); err != nil {
		l.part(from, own)
		return nil, err
	}
	if err := occupy(ctx, l.all); err != nil {
		<-own.slots
		l.part(from, own)
		return nil, err
	}
	return func() { <-l.all; <-own.slots; l.part(from, own) }, nil
}

func occupy(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("access: wait for a lookup: %w", context.Cause(ctx))
	}
}

func (l *lanes) join(from string) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.by[from]
	if own == nil {
		own = &lane{slots: make(chan struct{}, lanesOfAddress)}
		l.by[from] = own
	}
	own.users++
	return own
}

// part removes an address after its last request.
func (l *lanes) part(from string, own *lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(l.by, from)
	}
}
