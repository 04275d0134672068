package request

import "github.com/rollcall-dev/rollcall/web/auth"

// Cursors is a reader of the signed cursors of lists. A cursor holds the position in the list at which
// the next page begins. The signature covers the tenant, the list, its filters and its order.
type Cursors struct {
	Secret *auth.Secret
}
