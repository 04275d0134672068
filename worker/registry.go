package worker

import (
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// Definer is a Definition or an Exporter, of any type.
type Definer interface{ definition() jobs.Kind }

func (d *Definition[T]) definition() jobs.Kind { return d.kind }

// Registry holds the kinds of a program.
type Registry struct{ kinds *jobs.Registry }

// NewRegistry returns a registry of kinds. It panics if two share a name.
func NewRegistry(defs ...Definer) *Registry {
	kinds := make([]jobs.Kind, len(defs))
	for i, d := range defs {
		kinds[i] = d.definition()
	}
	return &Registry{jobs.NewRegistry(kinds...)}
}

// Use wraps the handlers of all kinds in queue middlewares. Each gets the jobs of a call as a batch, and
// must not resolve deliveries or keep the batch. Its error replaces the handler's. The function Calls
// returns the jobs.
func (r *Registry) Use(list ...queue.Middleware) { r.kinds.Use(list...) }

func init() {
	jobs.Publish(
		func(d any) jobs.Kind { return d.(Definer).definition() },
		func(r any) *jobs.Registry { return r.(*Registry).kinds },
	)
}
