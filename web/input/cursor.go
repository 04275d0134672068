package input

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/web/problem"
)

// BadCursor returns the problem that a cursor is invalid, or belongs to another list or other filters.
func BadCursor() *problem.Problem {
	return problem.New(http.StatusBadRequest, "BAD_CURSOR",
		"cursor must come from this list with the same filters and sort.").At("?cursor")
}
