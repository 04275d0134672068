package jobs

// public leads from the types of package worker to what they hold. Those types show nothing of this
// package, and so package worker hands the way in with Publish.
var public struct {
	kind     func(definition any) Kind
	registry func(registry any) *Registry
}

// Publish sets how a *worker.Definition, or another worker.Definer, and a *jobs.Registry lead to
// their contents. Package worker calls it when it is loaded.
func Publish(kind func(definition any) Kind, registry func(registry any) *Registry) {
	public.kind, public.registry = kind, registry
}

// KindOf returns the kind of a worker.Definer.
func KindOf(definition any) Kind { return public.kind(definition) }

// RegistryOf returns the kinds of a *jobs.Registry.
func RegistryOf(registry any) *Registry { return public.registry(registry) }
