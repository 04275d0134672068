package input

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	// ErrNoVersion is the problem of a change of a row that names no version.
	ErrNoVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
		`Say which version you have seen: send the ETag of the row as If-Match.`)
	// ErrUnknownKind is the problem of rows whose kind is no longer registered.
	ErrUnknownKind = problem.New(http.StatusConflict, "UNKNOWN_KIND",
		"No process registers the kind of this task, so its rows cannot be validated.")
)
