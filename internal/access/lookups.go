package access

import (
	"context"
	"fmt"
	"sync"
)

// These constants limit the concurrent lookups of credentials that are not in the cache. lanesOfAll is for
// all addresses together, lanesOfAddress for one address range. Guesses therefore occupy few connections to
// the database. Further lookups wait, in the order of their arrival.
const (
	lanesOfAll     = 3
	lanesOfAddress = 2
)

// lanes is a limiter of concurrent lookups. newLanes makes it.
type lanes struct {
	all chan struct{}
	mu  sync.Mutex
	by  map[string]*lane
}

// lane holds the slots for lookups from one address range.
type lane struct {
	slots chan struct{}
	users int // requests that wait or look up
}

func newLanes() *lanes {
	return &lanes{all: make(chan struct{}, lanesOfAll), by: map[string]*lane{}}
}

// enter waits for a free slot, at most findTimeout. If it returns no error, the caller must call `leave`
// after the lookup.
func (l *lanes) enter(ctx context.Context, from string) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	own := l.addUser(from)
	if err := takeSlot(ctx, own.slots); err != nil {
		l.removeUser(from, own)
		return nil, err
	}
	if err := takeSlot(ctx, l.all); err != nil {
		<-own.slots
		l.removeUser(from, own)
		return nil, err
	}
	return func() { <-l.all; <-own.slots; l.removeUser(from, own) }, nil
}

func takeSlot(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("access: wait for a lookup: %w", context.Cause(ctx))
	}
}

func (l *lanes) addUser(from string) *lane {
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

// removeUser removes the lane of an address range when the last request from the range ends.
func (l *lanes) removeUser(from string, own *lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(l.by, from)
	}
}
