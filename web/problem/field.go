package problem

import (
	"fmt"
	"net/http"
	"strings"
)

// BadField returns the problem that a field in a JSON request is invalid. Dots in its name separate
// the levels of nested objects.
func BadField(name, detail string) *Problem {
	pointer := "/" + strings.NewReplacer("~", "~0", ".", "/").Replace(name)
	return New(http.StatusUnprocessableEntity, "INVALID_FIELD", detail).At(pointer)
}

// BadMember returns the problem that a member of a JSON request or a field of a form is invalid.
func BadMember(name string, status int, detail string) *Problem {
	return New(status, "INVALID_FIELD", detail).At("/" + Pointer(name))
}

// BadParameter returns the problem, with status 400, that a URL parameter is invalid. The pointer
// of its fault is "?" and the name.
func BadParameter(name, detail string) *Problem {
	return New(http.StatusBadRequest, "INVALID_PARAMETER", detail).At("?" + name)
}

// BadOption returns the problem that an option of a task is invalid. An empty name means the
// options as a whole.
func BadOption(name, detail string) *Problem {
	at := "/options"
	if name != "" {
		at += "/" + Pointer(name)
	}
	return New(http.StatusUnprocessableEntity, "INVALID_OPTIONS", detail).At(at)
}

// Pointer escapes a name for use as one part of a JSON pointer. It keeps at most 100 characters of
// the name.
func Pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(strings.ToValidUTF8(fmt.Sprintf("%.100s", name), ""))
}
