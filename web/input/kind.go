package input

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	// ErrNoVersion is the problem that a request for a change of a row lacks the version of the row.
	ErrNoVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
		`Send the ETag of the row that you read as If-Match.`)
	// ErrUnknownKind is the problem that the kind of a task is not registered.
	ErrUnknownKind = problem.New(http.StatusConflict, "UNKNOWN_KIND",
		"No process registers the kind of this task, so its rows cannot be validated.")
)
