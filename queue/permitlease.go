package queue

import (
	"context"
	_ "embed" // for the script
	"maps"
	"slices"
	"sync"
	"time"
)

var (
	//go:embed lua/extend.lua
	extendLua    string
	extendScript = newScript("extend", preludeLua, clockLua, extendLua)
)

// Run extends the leases of the held permits. If a key that was refused a permit could not be made due,
// Run tries again. It returns when ctx ends, or at once if p is nil. Without such keys and held permits,
// Run sends nothing to Redis.
func (p *Permits) Run(ctx context.Context) {
	if p == nil {
		return
	}
	var late sync.WaitGroup
	late.Go(func() { p.wakeLate(ctx) })
	defer late.Wait()
	ticker := time.NewTicker(p.lease / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			p.extend(ctx)
		}
	}
}

// extend extends the leases of all held permits. It drops errors, because the next call extends
// the same leases.
func (p *Permits) extend(ctx context.Context) { p.extendAll(ctx, p.listHeld()) }

// extendAll extends the leases of permits. If the process gives back a permit meanwhile, the script may
// restore the permit. extendAll then gives it back again.
func (p *Permits) extendAll(ctx context.Context, list []*Permit) {
	var calls []*call
	for key, names := range p.byKey(list) {
		for some := range slices.Chunk(names, bulkKeys) {
			args := append([]any{p.lease.Milliseconds()}, some...)
			calls = append(calls, &call{script: extendScript, keys: []string{key}, args: args})
		}
	}
	p.client.engine.runParts(ctx, min(callTimeout, p.lease/4), calls, func([]*call, time.Time) {})
	for _, t := range list {
		if !p.holds(t) {
			t.giveAll(ctx, false)
		}
	}
}

func (p *Permits) listHeld() []*Permit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.held))
}

// holds reports whether this process still holds the permit.
func (p *Permits) holds(t *Permit) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held[t]
}

// byKey groups the names of permits by the Redis key that holds the permits of their limit. It
// omits limits without AtOnce.
func (p *Permits) byKey(list []*Permit) map[string][]any {
	out := make(map[string][]any)
	for _, t := range list {
		for _, l := range t.limits {
			if l.AtOnce > 0 {
				key := p.client.keys.limit(t.queue, l).permits
				out[key] = append(out[key], t.name)
			}
		}
	}
	return out
}
