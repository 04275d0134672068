// Package render renders pages: their templates, files and frame. It also has the texts about tasks and
// rows that pages of users and of operators share.
//
// A page is rendered completely before it is sent. After an error, no part of the page is sent. Texts
// from files are escaped. The result of an act is signed, so a forged link cannot show a false result.
package render

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Renderer is a renderer of pages. It also passes the result of an act to the next page.
type Renderer struct {
	Access *access.Store // nil: the service has no API keys
	Audit  *audit.Log
	Now    func() time.Time
	Secret *auth.Secret
}
