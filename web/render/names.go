package render

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// NamesOf returns the names of the users and API keys that the elements of a list refer to, by their
// ids. It reads the names in one query for each tenant. For the owner of the service, it also reads the
// names of the owner's API keys. For an id without a name, such as the id of a removed API key, the name
// is the id. A caller without a credential has the name "".
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
	tenants := []string{tenant}
	if auth.Caller(ctx).May(access.ServiceRead) {
		tenants = append(tenants, "") // the owner's keys have no tenant
	}
	ids := slices.Collect(maps.Keys(names))
	for _, of := range tenants {
		known, err := p.Access.Names(ctx, of, ids)
		if err != nil {
			return names, err
		}
		maps.Copy(names, known)
	}
	return names, nil
}
