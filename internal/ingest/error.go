package ingest

import (
	"fmt"
	"strings"
)

// Error is the reason why a request cannot become a task.
type Error struct {
	Code    string // stable; listed with the codes of the API
	Detail  string // for people
	Pointer string // JSON pointer to the position in the request
}

func (e *Error) Error() string { return e.Code + ": " + e.Detail }

// badOption returns the error for an invalid option. An empty `name` means the options as a whole.
func badOption(name, detail string) *Error {
	at := "/options"
	if name != "" {
		at += "/" + escapePointer(name)
	}
	return &Error{"INVALID_OPTIONS", detail, at}
}

// escapePointer escapes a name as one part of a JSON pointer. It cuts the name after 100 characters, and
// removes invalid UTF-8.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(strings.ToValidUTF8(fmt.Sprintf("%.100s", name), ""))
}
