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
)

// Turns holds the places of one stage in one process. Make it with New.
type Turns struct {
	most int // places

	mu      sync.Mutex
	tenants map[string]*tenant
	held    int     // places, of all tenants
	now     float64 // the pass of the tenant that went last
}

// tenant holds what one tenant was given.
type tenant struct {
	pass   float64
	weight float64
	held   int
}

// Waiting is a tenant that waits for a place.
type Waiting struct {
	Tenant string
	Weight int64 // below 1 counts as 1
}

// New returns the turns of so many places.
func New(places int) *Turns { return &Turns{most: places, tenants: map[string]*tenant{}} }

// Next gives a place to one of the tenants that wait and charges it a cost; it returns its
// index, or -1 if none may go now. While others wait or hold places, a tenant holds at most
// its share of the places, rounded up. A tenant that comes gets a place although all are
// taken, up to twice as many: long work of others holds up no newcomer.
func (t *Turns) Next(waiting []Waiting, cost float64) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget()
	all := t.weights(waiting)
	next, least := -1, math.Inf(1)
	for i, w := range waiting {
		if pass := t.pass(w.Tenant); pass < least && t.mayGo(w, all) {
			next, least = i, pass
		}
	}
	if next >= 0 {
		t.now = max(t.now, least)
		t.give(waiting[next], least, cost)
	}
	return next
}

// pass returns what a tenant is ordered by. A tenant without places starts at the present
// least.
func (t *Turns) pass(name string) float64 {
	one := t.tenants[name]
	switch {
	case one == nil:
		return t.now
	case one.held > 0:
		return one.pass
	}
	return max(one.pass, t.now)
}

// mayGo reports whether a tenant may have one more place; all is the sum of the weights.
func (t *Turns) mayGo(w Waiting, all float64) bool {
	one := t.tenants[w.Tenant]
	if one == nil { // it was given less than any other
		return t.held < 2*t.most
	}
	return t.held < t.most && float64(one.held) < math.Ceil(float64(t.most)*weight(w)/all)
}

// give gives a place to a tenant whose pass is now so far.
func (t *Turns) give(w Waiting, pass, cost float64) {
	one := t.tenants[w.Tenant]
	if one == nil {
		one = &tenant{}
		t.tenants[w.Tenant] = one
	}
	one.weight = weight(w)
	one.pass = pass + cost/one.weight
	one.held++
	t.held++
}

// weights returns the sum of the weights of the tenants that wait or hold places.
func (t *Turns) weights(waiting []Waiting) (all float64) {
	seen := map[string]bool{}
	for _, w := range waiting {
		if !seen[w.Tenant] {
			seen[w.Tenant] = true
			all += weight(w)
		}
	}
	for name, one := range t.tenants {
		if one.held > 0 && !seen[name] {
			all += one.weight
		}
	}
	return all
}

// forget drops tenants that would start anew all the same.
func (t *Turns) forget() {
	for name, one := range t.tenants {
		if one.held == 0 && one.pass <= t.now {
			delete(t.tenants, name)
		}
	}
}

func weight(w Waiting) float64 { return float64(max(w.Weight, 1)) }

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
