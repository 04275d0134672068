// Package render renders pages: their templates, files and frame, and the texts about tasks and rows
// that pages of users and of operators share.
//
// It promises that a page is written whole or not at all, that texts from files are harmless in
// it, and that only the service can make a page report an act.
package render

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Renderer renders pages, and carries the result of an act across a redirect.
type Renderer struct {
	Audit  *audit.Log
	Now    func() time.Time
	Secret *auth.Secret
}
