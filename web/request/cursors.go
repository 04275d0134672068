package request

import "github.com/rollcall-dev/rollcall/web/auth"

// Cursors reads and makes the cursors of lists. A cursor is signed for its tenant, list, filters and order.
type Cursors struct {
	Secret *auth.Secret
}
