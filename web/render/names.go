package render

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/web/auth"
)

// NamesOf returns the names of the users and API keys that the elements of a list refer to, by
// their ids. It reads all names at once. An id without a name in the tenant, such as the id of a
// removed key, is its own name. A caller without a credential has the name "".
func NamesOf[E any](ctx context.Context, p *Renderer, tenant string, list []E, actor func(*E) string) (map[string]string, error) {
	names := map[string]string{}
	for i := range list {
		id := actor(&list[i])
		names[id] = id
	}
	names[auth.Local] = ""
	if p.Access == nil {
		return names, nil
	}
	known, err := p.Access.Names(ctx, tenant, slices.Collect(maps.Keys(names)))
	maps.Copy(names, known)
	return names, err
}
