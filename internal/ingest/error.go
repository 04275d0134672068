package ingest

import (
	"fmt"
	"strings"
)

// Error is a request that cannot become a task.
type Error struct {
	Code    string // stable; listed with the codes of the API
	Detail  string // for people
	Pointer string // JSON pointer to the position in the request
}

func (e *Error) Error() string { return e.Code + ": " + e.Detail }

// badOption returns the error of an option; name "" means all options.
func badOption(name, detail string) *Error {
	at := "/options"
	if name != "" {
		at += "/" + pointer(name)
	}
	return &Error{"INVALID_OPTIONS", detail, at}
}

// pointer escapes a name as one part of a JSON pointer.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(strings.ToValidUTF8(fmt.Sprintf("%.100s", name), ""))
}
