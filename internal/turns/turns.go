// Package turns decides which tenant goes next when tenants share places.
//
// It uses stride scheduling. The pass of a tenant is its use divided by its weight, and the tenant
// with the least pass goes next. A returning tenant starts at the current least pass, so it gets no
// credit for its absence. The cost of a decision is linear in the tenants that wait or hold places.
package turns

import (
	"math"
	"sync"
	"time"
)

// Turns holds the places of one stage in one process. Make it with New.
type Turns struct {
	most int // places

	mu      sync.Mutex
	tenants map[string]*tenant
	held    int     // places, of all tenants
	now     float64 // the least pass of the tenants that wait or hold places
}

// tenant holds the use of one tenant.
type tenant struct {
	pass   float64
	weight float64
	held   int
	since  time.Time // start of its wait without a place; zero if it does not wait
}

// patience is how long a tenant waits for a place before it gets one beyond the limit.
const patience = time.Second

// Waiting is a tenant that waits for a place.
type Waiting struct {
	Tenant string
	Weight int64 // below 1 counts as 1
}

// New returns a Turns with the given number of places.
func New(places int) *Turns { return &Turns{most: places, tenants: map[string]*tenant{}} }

// Next gives a place to one of the waiting tenants and charges it a cost. It returns the tenant's
// index, or -1 if none may go now. While others wait or hold places, a tenant holds at most its share
// of the places, rounded up. A tenant without a place gets one even if all are taken, up to twice as
// many. It gets the place at once if its use is the least, else after a second, so that long work of
// other tenants does not block it.
func (t *Turns) Next(waiting []Waiting, cost float64) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.enter(waiting)
	next, least := -1, math.Inf(1)
	for i, w := range waiting {
		if one := t.tenants[w.Tenant]; one.pass < least && t.mayGo(one, all) {
			next, least = i, one.pass
		}
	}
	if next >= 0 {
		one := t.tenants[waiting[next].Tenant]
		one.pass += cost / one.weight
		one.since = time.Time{}
		one.held++
		t.held++
	}
	return next
}

// enter sets the tenants that wait or hold places, and returns the sum of their weights. A new tenant
// starts at the current least pass.
func (t *Turns) enter(waiting []Waiting) (all float64) {
	waits := map[string]float64{}
	for _, w := range waiting {
		waits[w.Tenant] = float64(max(w.Weight, 1))
	}
	t.advance(waits)
	for name, weight := range waits {
		one := t.tenants[name]
		if one == nil {
			one = &tenant{}
			t.tenants[name] = one
		}
		if one.weight = weight; one.held == 0 {
			one.pass = max(one.pass, t.now)
			one.waits()
		}
		all += weight
	}
	for name, one := range t.tenants {
		if _, waits := waits[name]; !waits && one.held > 0 {
			all += one.weight
		}
	}
	return all
}

// advance raises now to the least pass of the tenants that wait or hold places. It deletes each other
// tenant whose pass is at most now, since a new tenant starts at now.
func (t *Turns) advance(waits map[string]float64) {
	least := math.Inf(1)
	for name, one := range t.tenants {
		if _, waits := waits[name]; waits || one.held > 0 {
			least = min(least, one.pass)
		}
	}
	if !math.IsInf(least, 1) {
		t.now = max(t.now, least)
	}
	for name, one := range t.tenants {
		if _, waits := waits[name]; waits || one.held > 0 {
			continue
		}
		if one.since = (time.Time{}); one.pass <= t.now {
			delete(t.tenants, name)
		}
	}
}

// waits records the start of a tenant's wait without a place.
func (one *tenant) waits() {
	if one.since.IsZero() {
		one.since = time.Now()
	}
}

// mayGo reports whether a tenant may have one more place; all is the sum of the weights.
func (t *Turns) mayGo(one *tenant, all float64) bool {
	if one.held == 0 {
		next := one.pass <= t.now || time.Since(one.since) > patience
		return t.held < t.most || t.held < 2*t.most && next
	}
	return t.held < t.most && float64(one.held) < math.Ceil(float64(t.most)*one.weight/all)
}

// Free reports whether a place is left for some tenant.
func (t *Turns) Free() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.held < 2*t.most
}

// Charge adds a cost to the use of a tenant that holds a place.
func (t *Turns) Charge(name string, cost float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.tenants[name]; one != nil {
		one.pass += cost / one.weight
	}
}

// Leave releases a place of a tenant.
func (t *Turns) Leave(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.tenants[name]; one != nil && one.held > 0 {
		one.held--
		t.held--
	}
}
