package input

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	// ErrNoVersion is the problem that a request for a change of a row lacks the version of the row.
	ErrNoVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
		`Send the ETag of the row that you read as If-Match.`)
	// ErrUnknownKind is the problem that this process does not register the kind of a task, or that the kind
	// is private. Another process of the service may register it.
	ErrUnknownKind = problem.New(http.StatusConflict, "UNKNOWN_KIND",
		"This process does not register the kind of these rows, or the kind is internal, so the rows cannot be validated.")
)
