package pages

import (
	"maps"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/request"
)

// namesOf returns the names of the users and API keys of the caller's tenant that list refers to, by their
// ids. It reads all of them at once. An id without a name stays an id: that of a user, of a removed key,
// or of another tenant.
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
