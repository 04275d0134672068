package jobs

// public holds functions that convert the types of package worker to the types of this package. The
// API of package worker does not contain types of this package, so package worker sets the functions
// with Publish.
var public struct {
	kind     func(definition any) Kind
	registry func(registry any) *Registry
}

// Publish sets the functions that KindOf and RegistryOf call, since this package cannot import package
// worker. Package worker calls Publish when it is initialized.
func Publish(kind func(definition any) Kind, registry func(registry any) *Registry) {
	public.kind, public.registry = kind, registry
}

// KindOf returns the kind of a worker.Definer.
func KindOf(definition any) Kind { return public.kind(definition) }

// RegistryOf returns the kinds of a *worker.Registry.
func RegistryOf(registry any) *Registry { return public.registry(registry) }
