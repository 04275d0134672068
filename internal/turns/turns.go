// Package turns shares permits for work among tenants, and decides which waiting tenant gets the next
// permit.
//
// The package uses stride scheduling. The pass of a tenant is its use divided by its weight, and the
// tenant with the least pass is next. A tenant that returns after an absence starts at the current least
// pass, or at its own pass if that is higher. It thus gets no credit for its absence. A call of Next
// takes time in proportion to the number of stored tenants. A tenant is stored while it waits, has
// permits, or has a pass above the least pass.
package turns

import (
	"math"
	"sync"
	"time"
)

// Turns holds the permits of one sort of work in one process, such as the splitting of files. Make
// it with New.
type Turns struct {
	permits int

	mu      sync.Mutex
	tenants map[string]*tenant
	taken   int     // permits that are taken, by all tenants
	now     float64 // the least pass of the tenants that wait or hold permits
}

// tenant holds the use of permits by one tenant.
type tenant struct {
	pass   float64
	weight float64
	taken  int
	since  time.Time // start of its wait without a permit; zero if it does not wait
}

// patience is how long a tenant without a permit waits before it may get an extra permit.
const patience = time.Second

// Waiting is a tenant that waits for a permit.
type Waiting struct {
	Tenant string
	Weight int64 // below 1 counts as 1
}

// New returns a Turns with the given number of permits.
func New(permits int) *Turns { return &Turns{permits: permits, tenants: map[string]*tenant{}} }

// Next gives a permit to one of the waiting tenants, and adds `cost` to the use of this tenant. It
// returns the tenant's index, or -1 if no tenant may have a permit now. While other tenants wait or have
// permits, a tenant has at most its share of the permits, rounded up. If all permits are taken, a tenant
// without a permit may get an extra one, until twice as many are taken. It gets the extra permit at once
// if its pass is the least, otherwise after a second. Long work of other tenants thus does not block a
// tenant.
func (t *Turns) Next(waiting []Waiting, cost float64) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.enter(waiting)
	next, least := -1, math.Inf(1)
	for i, w := range waiting {
		if entry := t.tenants[w.Tenant]; entry.pass < least && t.mayGo(entry, all) {
			next, least = i, entry.pass
		}
	}
	if next >= 0 {
		entry := t.tenants[waiting[next].Tenant]
		entry.pass += cost / entry.weight
		entry.since = time.Time{}
		entry.taken++
		t.taken++
	}
	return next
}

// enter adds the waiting tenants, and returns the sum of the weights of all tenants that wait or have
// permits. A new tenant starts with the pass t.now.
func (t *Turns) enter(waiting []Waiting) (all float64) {
	waits := map[string]float64{}
	for _, w := range waiting {
		waits[w.Tenant] = float64(max(w.Weight, 1))
	}
	t.advance(waits)
	for name, weight := range waits {
		entry := t.tenants[name]
		if entry == nil {
			entry = &tenant{}
			t.tenants[name] = entry
		}
		if entry.weight = weight; entry.taken == 0 {
			entry.pass = max(entry.pass, t.now)
			entry.startWait()
		}
		all += weight
	}
	for name, entry := range t.tenants {
		if _, waits := waits[name]; !waits && entry.taken > 0 {
			all += entry.weight
		}
	}
	return all
}

// advance raises t.now to the least pass of the tenants that wait or have permits. It deletes other
// tenants whose pass is at most t.now: if they return, they start at t.now again.
func (t *Turns) advance(waits map[string]float64) {
	least := math.Inf(1)
	for name, entry := range t.tenants {
		if _, waits := waits[name]; waits || entry.taken > 0 {
			least = min(least, entry.pass)
		}
	}
	if !math.IsInf(least, 1) {
		t.now = max(t.now, least)
	}
	for name, entry := range t.tenants {
		if _, waits := waits[name]; waits || entry.taken > 0 {
			continue
		}
		if entry.since = (time.Time{}); entry.pass <= t.now {
			delete(t.tenants, name)
		}
	}
}

// startWait records that a tenant waits without a permit from now, unless it already waits.
func (entry *tenant) startWait() {
	if entry.since.IsZero() {
		entry.since = time.Now()
	}
}

// mayGo reports whether a tenant may have another permit. The argument `all` is the sum of the weights
// of all tenants that wait or have permits.
func (t *Turns) mayGo(entry *tenant, all float64) bool {
	if entry.taken == 0 {
		next := entry.pass <= t.now || time.Since(entry.since) > patience
		return t.taken < t.permits || t.taken < 2*t.permits && next
	}
	return t.taken < t.permits && float64(entry.taken) < math.Ceil(float64(t.permits)*entry.weight/all)
}

// Free reports whether Next may return a tenant. With extra permits, Next gives up to twice the number of
// permits.
func (t *Turns) Free() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken < 2*t.permits
}

// Charge adds a cost to the use of a tenant, for work under a permit that the tenant holds.
func (t *Turns) Charge(name string, cost float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if entry := t.tenants[name]; entry != nil {
		entry.pass += cost / entry.weight
	}
}

// Leave releases a permit of a tenant.
func (t *Turns) Leave(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if entry := t.tenants[name]; entry != nil && entry.taken > 0 {
		entry.taken--
		t.taken--
	}
}
