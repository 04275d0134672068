package access

import (
	"context"
	"fmt"
	"sync"
)

// These constants limit the concurrent lookups of credentials that are not in the cache. lookupsOfAll is
// for all addresses together, lookupsOfRange for one address range. Guesses therefore occupy few
// connections to the database. Further lookups wait, in the order of their arrival.
const (
	lookupsOfAll   = 3
	lookupsOfRange = 2
)

// lookups is a limiter of concurrent lookups. newLookups makes it.
type lookups struct {
	all chan struct{}
	mu  sync.Mutex
	by  map[string]*rangeLookups
}

// rangeLookups holds the lookups from one address range.
type rangeLookups struct {
	places chan struct{}
	users  int // requests that wait or look up
}

func newLookups() *lookups {
	return &lookups{all: make(chan struct{}, lookupsOfAll), by: map[string]*rangeLookups{}}
}

// enter waits until a lookup from the address range `from` may start, at most findTimeout. If it returns
// no error, the caller must call `leave` after the lookup.
func (l *lookups) enter(ctx context.Context, from string) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	own := l.addUser(from)
	if err := takePlace(ctx, own.places); err != nil {
		l.removeUser(from, own)
		return nil, err
	}
	if err := takePlace(ctx, l.all); err != nil {
		<-own.places
		l.removeUser(from, own)
		return nil, err
	}
	return func() { <-l.all; <-own.places; l.removeUser(from, own) }, nil
}

func takePlace(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("access: wait for a lookup: %w", context.Cause(ctx))
	}
}

func (l *lookups) addUser(from string) *rangeLookups {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.by[from]
	if own == nil {
		own = &rangeLookups{places: make(chan struct{}, lookupsOfRange)}
		l.by[from] = own
	}
	own.users++
	return own
}

// removeUser removes the entry of an address range when the last request from the range ends.
func (l *lookups) removeUser(from string, own *rangeLookups) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(l.by, from)
	}
}
