package pages

import (
	"errors"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/request"
)

// senders returns the names of the users and API keys that a page shows. It reads each name once.
type senders map[string]string

// name returns the name of an actor of the caller's tenant: the name of an API key instead of its id, and
// "" for a caller without a credential. A key that was removed keeps its id.
func (n senders) name(c *gin.Context, p *Handlers, actor string) (string, error) {
	if actor == auth.Local || p.Access == nil {
		return n.plain(actor), nil
	}
	if name, ok := n[actor]; ok {
		return name, nil
	}
	n[actor] = actor
	key, err := p.Access.Get(c.Request.Context(), request.Tenant(c), actor)
	if errors.Is(err, access.ErrNotFound) {
		return actor, nil
	}
	if err == nil && key.Name != "" {
		n[actor] = key.Name
	}
	return n[actor], err
}

// plain returns the id of an actor; "" for a caller without a credential.
func (senders) plain(actor string) string {
	if actor == auth.Local {
		return ""
	}
	return actor
}
