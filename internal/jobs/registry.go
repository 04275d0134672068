package jobs

import (
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/queue"
)

// Registry holds the kinds of a program. Make it with NewRegistry.
type Registry struct {
	kinds  []Kind
	byName map[string]int
	hooks
}

// NewRegistry returns a registry of kinds. It panics if two kinds have the same name.
func NewRegistry(kinds ...Kind) *Registry {
	r := &Registry{byName: map[string]int{}}
	for _, k := range kinds {
		if _, ok := r.byName[k.Name]; ok {
			panic(fmt.Sprintf("worker: %s is registered twice", k.Name))
		}
		r.byName[k.Name] = len(r.kinds)
		r.kinds = append(r.kinds, k)
	}
	return r
}

// With returns a copy of the registry with one more kind. It panics if the name of the kind is
// taken.
func (r *Registry) With(k Kind) *Registry {
	out := NewRegistry(append(r.Kinds(), k)...)
	out.hooks = r.hooks
	return out
}

// Use adds middlewares to the handlers of all registered kinds.
func (r *Registry) Use(list ...queue.Middleware) {
	for i := range r.kinds {
		k := &r.kinds[i]
		k.Around = append(k.Around[:len(k.Around):len(k.Around)], list...)
	}
}

// Kinds returns all kinds, in the order of registration.
func (r *Registry) Kinds() []Kind { return slices.Clone(r.kinds) }

// Names returns the names of all kinds.
func (r *Registry) Names() []string {
	var out []string
	for _, k := range r.kinds {
		out = append(out, k.Name)
	}
	return out
}

// Kind returns a kind by its name, and reports whether it is registered.
func (r *Registry) Kind(name string) (Kind, bool) {
	i, ok := r.byName[name]
	if !ok {
		return Kind{}, false
	}
	return r.kinds[i], true
}

// SetHours replaces the run hours of kinds, by name. Kinds that are not registered are ignored.
func (r *Registry) SetHours(hours map[string]cron.Hours) {
	for name, h := range hours {
		if i, ok := r.byName[name]; ok {
			r.kinds[i].Hours = h
		}
	}
}

// Hours returns the run hours by the name of the kind. It leaves out kinds without run hours.
func (r *Registry) Hours() map[string]cron.Hours {
	out := map[string]cron.Hours{}
	for _, k := range r.kinds {
		if k.Hours != (cron.Hours{}) {
			out[k.Name] = k.Hours
		}
	}
	return out
}

// Queues returns the queues of all kinds, for queue.ClientOptions.
func (r *Registry) Queues() []queue.Spec {
	var out []queue.Spec
	for _, k := range r.kinds {
		out = append(out, queue.Spec{Name: k.Name, Shards: k.Shards})
	}
	return out
}
