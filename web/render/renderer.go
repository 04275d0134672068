// Package render renders pages: the templates and files that they load, the frame around them,
// and what pages of users and of operators share of tasks and rows.
//
// It promises that a page is written whole or not at all, that texts from files are harmless in
// it, and that only the service can make a page report an act.
package render

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Renderer renders pages, and remembers across a redirect what an act has done.
type Renderer struct {
	Audit  *audit.Log
	Now    func() time.Time
	Secret *auth.Secret
}
