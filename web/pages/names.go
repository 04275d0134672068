package pages

import (
	"maps"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/request"
)

// namesOf returns the names of the users and API keys that the elements of a list refer to, by
// their ids. It reads all names at once. An id without a name in the caller's tenant, such as the
// id of a removed key, is its own name.
func namesOf[E any](c *gin.Context, p *Handlers, list []E, actor func(*E) string) (map[string]string, error) {
	names := map[string]string{}
	for i := range list {
		id := actor(&list[i])
		names[id] = id
	}
	names[auth.Local] = "" // a caller without a credential
	if p.Access == nil {
		return names, nil
	}
	known, err := p.Access.Names(c.Request.Context(), request.Tenant(c), slices.Collect(maps.Keys(names)))
	maps.Copy(names, known)
	return names, err
}
