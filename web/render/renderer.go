// Package render renders pages: their templates, files and frame. It also has the texts about tasks and
// rows that pages of users and of operators share.
//
// It promises that a page is sent completely or not at all. Texts from files are harmless in a
// page. Only the service can make a page show the outcome of an act.
package render

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Renderer renders pages. It also carries the outcome of an act from the act to the next page.
type Renderer struct {
	Audit  *audit.Log
	Now    func() time.Time
	Secret *auth.Secret
}
