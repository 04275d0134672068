// Package turns decides which tenant goes next where tenants share places.
//
// It is stride scheduling: what a tenant has been given, divided by its weight, is its pass,
// and the tenant with the least pass goes next. A tenant that comes back starts at the
// present least, so it gets no credit for the time it was away. Deciding costs O(tenants
// that wait or hold places).
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

// tenant holds what one tenant was given.
type tenant struct {
	pass   float64
	weight float64
	held   int
	since  time.Time // it waits without a place; zero: it does not
}

// patience is how long a tenant waits for a place of others before it gets one beyond them.
const patience = time.Second

// Waiting is a tenant that waits for a place.
type Waiting struct {
	Tenant string
	Weight int64 // below 1 counts as 1
}

// New returns the turns of so many places.
func New(places int) *Turns { return &Turns{most: places, tenants: map[string]*tenant{}} }

// Next gives a place to one of the tenants that wait and charges it a cost; it returns its
// index, or -1 if none may go now. While others wait or hold places, a tenant holds at most
// its share of the places, rounded up. A tenant without a place gets one although all are
// taken, up to twice as many, at once if it was given no more than any other, else after a
// second: long work of others does not hold it up.
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

// enter brings the tenants up to those that wait or hold places, and returns the sum of their
// weights. A tenant that comes starts at the present least.
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

// advance raises the present least, and drops tenants that are away and would start there.
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

// waits notes since when a tenant waits without a place.
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

// Charge adds a cost to what a tenant that holds a place was given.
func (t *Turns) Charge(name string, cost float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.tenants[name]; one != nil {
		one.pass += cost / one.weight
	}
}

// Leave takes back a place of a tenant.
func (t *Turns) Leave(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.tenants[name]; one != nil && one.held > 0 {
		one.held--
		t.held--
	}
}
