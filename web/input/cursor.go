package input

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/web/problem"
)

// BadCursor returns the problem of a cursor that does not belong to the list with these filters.
func BadCursor() *problem.Problem {
	return problem.New(http.StatusBadRequest, "BAD_CURSOR",
		"cursor must come from this list with the same filters.").At("?cursor")
}
